"""Topic sketches: in which buckets of a sheet a member tells of a topic, and how they add up.

A topic is a name as links fold it. HMAC-SHA-256 under the unit's salt and the week gives one bucket
in each of two rows (a count sketch without signs; Cormode & Muthukrishnan 2005). Every member fills
a sheet of the same size. The numbers of a bucket are packed so that no sum of up to 1,023 members
runs from one into the next.
"""

import hashlib
import hmac
from collections.abc import Mapping
from typing import NamedTuple

import numpy
import numpy.typing

Sheet = numpy.typing.NDArray[numpy.uint64]

ROWS = 2
BUCKETS = 1024
WORDS = 2  # of one bucket
SIZE = ROWS * BUCKETS * WORDS  # words of a sheet
#: members whose sums stay apart
MOST = 1023
#: the highest step of gravity and of pressure
STEPS = 15
#: the highest step of formal authority
OFFICES = 3

# field of a signal -> (word, first bit, bits, highest value of one member)
_LAYOUT: Mapping[str, tuple[int, int, int, int]] = {
    "owners": (0, 0, 10, 1),
    "gravity": (0, 10, 14, STEPS),
    "pressure": (0, 24, 14, STEPS),
    "open": (0, 38, 10, 1),
    "won": (0, 48, 10, 1),
    "lost": (1, 0, 10, 1),
    "divergence": (1, 10, 10, 1),
    "authority": (1, 20, 12, OFFICES),
}
#: bits of each word that some field uses; a sum outside them was not made by members
_USED = (2**58 - 1, 2**32 - 1)


class Signal(NamedTuple):
    """The signal of one topic, from one member or as the sum of several."""

    owners: int = 1  # members that have the topic
    gravity: int = 0  # percentile of its gravity in the member's wiki, 0 to 15
    pressure: int = 0  # minority pressure against its threshold, 0 to 15
    open: int = 0  # a minority branch contests it
    won: int = 0  # a minority branch replaced it
    lost: int = 0  # an audit closed a branch that had won
    divergence: int = 0  # the owner's words diverge from it
    authority: int = 0  # formal authority, 0 to 3: no count of dependents


def make_sheet(signals: Mapping[str, Signal], salt: bytes, week: int) -> Sheet:
    """Return the sheet of one member: *signals* by topic, in the buckets of *week*.

    Two topics of a member that share a bucket count once, by the first in order of names.
    """
    sheet = numpy.zeros(SIZE, dtype=numpy.uint64)
    for topic in sorted(signals):
        words = _pack(signals[topic])
        for place in find_places(topic, salt, week):
            if not sheet[place]:
                sheet[place : place + WORDS] = words
    return sheet


def find_places(topic: str, salt: bytes, week: int) -> tuple[int, ...]:
    """Return where the words of *topic* begin, one place a row."""
    text = f"{week}\n{topic}".encode()
    digest = hmac.digest(salt, text, hashlib.sha256)
    places = []
    for row in range(ROWS):
        number = int.from_bytes(digest[8 * row : 8 * row + 8], "big")
        bucket = number % BUCKETS
        places.append((row * BUCKETS + bucket) * WORDS)
    return tuple(places)


def read_topic(sheet: Sheet, topic: str, salt: bytes, week: int) -> Signal:
    """Return what a sum of sheets says of *topic*: by the row in which fewer collide with it."""
    found = [
        read_place(sheet, place) for place in find_places(topic, salt, week)
    ]
    return min(found)


def read_place(sheet: Sheet, place: int) -> Signal:
    """Return the numbers of the bucket that begins at *place*."""
    numbers = {}
    for name, (word, first, bits, _) in _LAYOUT.items():
        value = int(sheet[place + word])
        numbers[name] = (value >> first) & (2**bits - 1)
    return Signal(**numbers)


def is_possible(sheet: Sheet, members: int) -> bool:
    """Tell whether so many *members* could have made the sum *sheet*.

    No more owners than members, and nothing told without an owner: a member that adds noise or
    takes away spoils its group and nothing else.
    """
    words = sheet.reshape(-1, WORDS)
    for number, used in enumerate(_USED):
        if numpy.any(words[:, number] & ~numpy.uint64(used)):
            return False
    owners = read_field(sheet, "owners")
    if numpy.any(owners > members):
        return False
    return all(
        not numpy.any(read_field(sheet, name) > owners * numpy.uint64(most))
        for name, (_, _, _, most) in _LAYOUT.items()
    )


def read_field(sheet: Sheet, name: str) -> Sheet:
    """Return one number of every bucket, in the order of the buckets."""
    word, first, bits, _ = _LAYOUT[name]
    mask = numpy.uint64(2**bits - 1)
    words = sheet.reshape(-1, WORDS)
    found: Sheet = (words[:, word] >> numpy.uint64(first)) & mask
    return found


def pack_fields(numbers: Mapping[str, Sheet]) -> Sheet:
    """Return the sheet with the *numbers* of every bucket, by the name of each field."""
    words = numpy.zeros((ROWS * BUCKETS, WORDS), dtype=numpy.uint64)
    for name, (word, first, _, _) in _LAYOUT.items():
        values = numbers[name].astype(numpy.uint64)
        words[:, word] |= values << numpy.uint64(first)
    return words.reshape(SIZE)


def _pack(signal: Signal) -> list[int]:
    words = [0, 0]
    for name, (word, first, _, most) in _LAYOUT.items():
        value = getattr(signal, name)
        if not 0 <= value <= most:
            raise ValueError(f"{name} must be from 0 to {most}, not {value}")
        words[word] |= value << first
    return words
