"""Secure aggregation: masks that hide each member's sheet and cancel in the sum of its group.

Every pair of members shares a secret (X25519 between the keys of the roster). From it and the round
both make the same stream; the one that stands earlier in the group adds it, the other subtracts it
(Bonawitz et al. 2017, without their recovery of dropped members: a group in which one is missing is
void this week).

This withstands a relay that follows the protocol and looks at all it gets, together with all but
two members of a group: they learn the sum over the others and no more. It does not withstand a
roster of invented members, which is why rosters are exchanged by hand.
"""

import hashlib
from collections.abc import Mapping, Sequence

import numpy

from companion.federation.sums.sketch import SIZE, Sheet

_WORD = 8  # bytes


def mask_sheet(
    sheet: Sheet,
    member: int,
    group: Sequence[int],
    secrets: Mapping[int, bytes],
    week: int,
) -> Sheet:
    """Return the *sheet* of *member* hidden by its masks; sums of a whole *group* have none.

    *secrets* has what it shares with each other member of the group; arithmetic is modulo 2⁶⁴.
    """
    masked = sheet.copy()
    for other in group:
        if other == member:
            continue
        stream = _stream(secrets[other], week, group)
        if member < other:
            masked += stream
        else:
            masked -= stream
    return masked


def add_sheets(sheets: Sequence[Sheet]) -> Sheet:
    """Return the sum of *sheets* modulo 2⁶⁴."""
    total = numpy.zeros(SIZE, dtype=numpy.uint64)
    for sheet in sheets:
        total += sheet
    return total


def _stream(secret: bytes, week: int, group: Sequence[int]) -> Sheet:
    about = f"companion mask 1\n{week}\n{','.join(map(str, group))}\n"
    expanded = hashlib.shake_256(about.encode() + secret)
    stream = numpy.frombuffer(expanded.digest(SIZE * _WORD), dtype="<u8")
    return stream.astype(numpy.uint64)
