"""Sheets as protobuf messages, and the refusal of every message that is not of the one size.

A message with an unknown field, with a field left out, or longer by one byte, is no message here:
what protobuf would keep silently is what could carry words.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy

from companion.federation import schema
from companion.federation.sums.sketch import SIZE, Sheet

WIRE_VERSION = 1
_BRANCHES = 16  # fields of each level of a sheet


class Misshapen(ValueError):
    """This message has another size or another content than any of ours."""


class Round(NamedTuple):
    """The exchange that a message belongs to."""

    week: int
    roster: int
    form: int  # 1 masked, 2 noisy
    version: int = WIRE_VERSION


MASKED, NOISY = 1, 2
#: the answers of a peer, by their numbers in the proto file
ANSWERS = (
    "unspecified",
    "taken",
    "already taken",
    "too few",
    "wrong round",
    "not complete",
    "refused",
)
TAKEN, ALREADY, TOO_FEW, WRONG_ROUND, NOT_COMPLETE, REFUSED = range(1, 7)


@cache
def classes() -> dict[str, Any]:
    """Return the message classes of the proto file by their names. Raises schema.Expressive."""
    from google.protobuf import descriptor_pool, message_factory

    proto = schema.load_proto()
    pool = descriptor_pool.DescriptorPool()
    pool.Add(schema.describe_file(proto))
    found = {}
    for name in proto.messages:
        described = pool.FindMessageTypeByName(f"{schema.PACKAGE}.{name}")
        found[name] = message_factory.GetMessageClass(described)
    return found


def encode_contribution(round: Round, sheet: Sheet) -> bytes:
    """Return the message by which a member tells its *sheet*."""
    message = classes()["Contribution"]()
    _set_round(message.round, round)
    _set_sheet(message.sheet, sheet)
    return bytes(message.SerializeToString(deterministic=True))


def decode_contribution(data: bytes) -> tuple[Round, Sheet]:
    """Return what a member told. Raises Misshapen."""
    message = _parse("Contribution", data)
    return _get_round(message.round), _get_sheet(message.sheet)


def encode_round(round: Round) -> bytes:
    """Return the message that asks for the release of a round."""
    message = classes()["Round"]()
    _set_round(message, round)
    return bytes(message.SerializeToString(deterministic=True))


def decode_round(data: bytes) -> Round:
    """Return the round that is asked for. Raises Misshapen."""
    return _get_round(_parse("Round", data))


def encode_receipt(answer: int) -> bytes:
    """Return the message that says what became of a contribution."""
    message = classes()["Receipt"](answer=answer)
    return bytes(message.SerializeToString(deterministic=True))


def decode_receipt(data: bytes) -> int:
    """Return what became of a contribution. Raises Misshapen."""
    return int(_parse("Receipt", data).answer)


def encode_release(
    round: Round, answer: int, members: int, sheet: Sheet
) -> bytes:
    """Return the message that gives out the sum of a round."""
    message = classes()["Release"](answer=answer, members=members)
    _set_round(message.round, round)
    _set_sheet(message.sheet, sheet)
    return bytes(message.SerializeToString(deterministic=True))


def decode_release(data: bytes) -> tuple[Round, int, int, Sheet]:
    """Return round, answer, members and sum of a release. Raises Misshapen."""
    message = _parse("Release", data)
    round = _get_round(message.round)
    sheet = _get_sheet(message.sheet)
    return round, int(message.answer), int(message.members), sheet


@cache
def size_of(name: str) -> int:
    """Return the bytes of every message called *name*."""
    message = classes()[name]()
    for leaf, field in _list_leaves(message):
        setattr(leaf, field.name, 1)
    return int(message.ByteSize())


def _list_leaves(message: Any) -> Iterator[tuple[Any, Any]]:
    for field in message.DESCRIPTOR.fields:
        if field.message_type is None:
            yield message, field
        else:
            yield from _list_leaves(getattr(message, field.name))


def _parse(name: str, data: bytes) -> Any:
    if len(data) != size_of(name):
        raise Misshapen(f"{name} of {len(data)} bytes")
    from google.protobuf.message import DecodeError

    message = classes()[name]()
    try:
        message.ParseFromString(data)
    except DecodeError as error:
        raise Misshapen(f"{name} that is no message") from error
    message.DiscardUnknownFields()
    # a field left out, told twice, or unknown: then it is not the same bytes again
    if message.SerializeToString(deterministic=True) != data:
        raise Misshapen(f"{name} in another form than ours")
    return message


def _set_round(message: Any, round: Round) -> None:
    message.version = round.version
    message.week = round.week
    message.roster = round.roster
    message.form = round.form


def _get_round(message: Any) -> Round:
    return Round(
        int(message.week),
        int(message.roster),
        int(message.form),
        int(message.version),
    )


def _set_sheet(message: Any, sheet: Sheet) -> None:
    words = iter(sheet.tolist())
    for row in _list_rows(message):
        for place in range(_BRANCHES):
            setattr(row, f"w{place}", next(words))


def _get_sheet(message: Any) -> Sheet:
    words = [
        getattr(row, f"w{place}")
        for row in _list_rows(message)
        for place in range(_BRANCHES)
    ]
    sheet = numpy.array(words, dtype=numpy.uint64)
    assert len(sheet) == SIZE
    return sheet


def _list_rows(message: Any) -> Iterator[Any]:
    for one in range(_BRANCHES):
        plate = getattr(message, f"w{one}")
        for other in range(_BRANCHES):
            yield getattr(plate, f"w{other}")
