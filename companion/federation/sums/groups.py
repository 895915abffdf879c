"""Groups of one round: who is summed with whom, and what of their sums is released.

Groups are drawn anew every week from the roster and the unit's salt, by every member for itself, so
that a relay chooses nobody's company. Sums of several groups are what makes liars weigh nothing: of
`g` groups the `(g - 1) // 2` that say the most of a topic are left out before it is counted.
"""

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy

from companion.federation.sums.sketch import (
    SIZE,
    Sheet,
    Signal,
    is_possible,
    pack_fields,
    read_field,
)

#: the numbers of a topic that speak against believing in a change
_AGAINST = ("owners", "lost")


class Sum(NamedTuple):
    """The sum of the sheets of one whole group."""

    sheet: Sheet
    members: int


class Released(NamedTuple):
    """The sum that a relay gives out of one round."""

    sheet: Sheet
    members: int  # of the groups that were complete and possible
    # groups of which all may lie without changing what is released
    tolerated: int


def draw_groups(
    members: int, least: int, salt: bytes, week: int
) -> tuple[tuple[int, ...], ...]:
    """Return the groups of a week as positions in the roster, at least *least* in each.

    Fewer than *least* members make no group.
    """
    if members < least:
        return ()

    def rank(member: int) -> bytes:
        text = f"group\n{week}\n{member}".encode()
        return hmac.digest(salt, text, hashlib.sha256)

    order = sorted(range(members), key=rank)
    count = members // least
    return tuple(tuple(sorted(order[n::count])) for n in range(count))


def release_topics(sums: Sequence[Sum], least: int) -> Released:
    """Return the sum of a round with every topic left out that fewer than *least* own.

    Sums that their members cannot have made are left out whole. Of each number the groups that say
    the most are left out, as many as are tolerated; of what speaks against a change (owners, audits
    that took it back) those that say the least. So what is released for a change is never more than
    what the groups without a liar say, and what is released against it never less.
    """
    sound = [one for one in sums if is_possible(one.sheet, one.members)]
    members = sum(one.members for one in sound)
    if not sound:
        return Released(numpy.zeros(SIZE, dtype=numpy.uint64), 0, 0)
    tolerated = (len(sound) - 1) // 2
    kept = len(sound) - tolerated
    numbers: dict[str, Sheet] = {}
    for name in Signal._fields:
        told = numpy.sort(
            [read_field(one.sheet, name) for one in sound], axis=0
        )
        if name == "owners":
            enough = told[:kept].sum(axis=0) >= least
        chosen = told[:kept]
        if name in _AGAINST:
            chosen = told[tolerated:]
        numbers[name] = chosen.sum(axis=0)
    for name, values in numbers.items():
        numbers[name] = numpy.where(enough, values, 0)
    return Released(pack_fields(numbers), members, tolerated)


def subtract_own(found: Signal, own: Signal | None) -> Signal:
    """Return what others say of a topic: *found* without what this wiki told itself."""
    if own is None:
        return found
    left: Mapping[str, int] = {
        name: max(0, getattr(found, name) - getattr(own, name))
        for name in Signal._fields
    }
    return Signal(**left)
