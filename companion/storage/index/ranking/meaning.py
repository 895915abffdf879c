"""How near passages are to a question in meaning: cosines of vectors, without numpy.

The signs of a vector's parts tell roughly where it points (Charikar 2002): all passages are
compared by these, 32 bytes each, and only the nearest by their codes. On the hot path of a search.
"""

import sqlite3
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from math import dist
from operator import mul
from zlib import crc32

from companion.language.vectors.word_vectors import (
    DIMENSIONS,
    Rows,
    Source,
    is_unchanged,
    split_word,
)
from companion.storage.index.schema import read_meta
from companion.tuples import NamedTuple

PACK = 256  # outlines in one row
OUTLINE = DIMENSIONS // 8  # bytes
NEAREST = (
    100  # passages whose vectors are compared, beside those that share words
)
_BITS = bytes(map(int.bit_count, range(256)))  # that are 1 in each byte
_UP = 128
# each byte of a code as its part and 128 more: between two such vectors lies what lay between the
# parts, and whole numbers from 0 to 255 are made once
_RAISED = bytes((part + _UP) % 256 for part in range(256))


class Pieces:
    """The numbers of the tokenizer's pieces, found by a checksum of each."""

    def __init__(self, checksums: bytes, numbers: bytes) -> None:
        self._checksums = array("I", checksums)
        self._numbers = array("H", numbers)

    def find(self, piece: str) -> int | None:
        """Return the number of *piece*; None where it is none."""
        checksum = crc32(piece.encode("utf-8", "replace"))
        place = bisect_left(self._checksums, checksum)
        if place == len(self._checksums):
            return None
        if self._checksums[place] != checksum:
            return None
        return self._numbers[place]


class Code(NamedTuple):
    """Where a passage points."""

    raised: bytes  # its parts, each 128 more
    length: float

    def measure_cosine(self, other: "Code") -> float:
        """Return how near the ways of both are, from -1 to 1."""
        product = multiply(self.raised, self.length, other.raised, other.length)
        return float(product) / (self.length * other.length)


class Aim(NamedTuple):
    """Where a question points."""

    outline: bytes  # the signs of its parts
    raised: Sequence[float]  # its parts, each 128 more
    length: float


def multiply(
    one: Sequence[float],
    one_length: float,
    other: Sequence[float],
    other_length: float,
) -> int:
    """Return the product of two vectors of whole numbers, whose lengths are known and whose parts
    are raised alike, by the law of cosines: their distance takes a third of the time of a sum of
    products.
    """
    squares = one_length * one_length + other_length * other_length
    return round((squares - dist(one, other) ** 2) / 2)


def read_pieces(db: sqlite3.Connection) -> tuple[bytes, bytes]:
    """Return the checksums and the numbers of the pieces that this index was made with."""
    row = db.execute("SELECT checksums, numbers FROM pieces").fetchone()
    return row[0], row[1]


def measure_nearness(
    db: sqlite3.Connection, words: Mapping[str, float], docs: Iterable[int]
) -> Mapping[int, float]:
    """Return the cosines of the passages *docs*, and of those that are nearest of all, to a
    question of *words*, each with its weight.

    Nothing where the vectors cannot be read: `find_trouble` says why.
    """
    source = read_source(db)
    if source is None or not is_unchanged(source):
        return {}
    aim = _find_aim(db, source, words)
    if aim is None:
        return {}
    return _measure(db, aim, {*docs, *_list_nearest(db, aim.outline)})


def find_trouble(db: sqlite3.Connection) -> str | None:
    """Return why questions are searched by their words alone; None where they are not."""
    source = read_source(db)
    if source is None:
        return read_meta(db, "no_vectors")
    if is_unchanged(source):
        return None
    return f"{source.path} is not what the index was made with"


def read_source(db: sqlite3.Connection) -> Source | None:
    """Return the file of the vectors that the index was made with; None where it has none."""
    if not read_meta(db, "vectors"):
        return None
    path = read_meta(db, "vectors_file") or ""
    size, changed = (read_meta(db, "vectors_stat") or "0 0").split()
    return Source(path, int(size), int(changed))


def _find_aim(
    db: sqlite3.Connection, source: Source, words: Mapping[str, float]
) -> Aim | None:
    """Return the weighed sum of the vectors of *words*; None where they have none."""
    pieces = Pieces(*read_pieces(db))
    total = [0.0] * DIMENSIONS
    rows = Rows(source)
    for word, weight in words.items():
        for token in split_word(word, pieces.find):
            row = rows.read(token)
            total = [a + weight * b for a, b in zip(total, row, strict=True)]
    rows.close()
    largest = max(map(abs, total))
    if not largest:
        return None
    parts = [round(part * 127 / largest) for part in total]
    bits = "".join("1" if part > 0 else "0" for part in total)
    length = sum(map(mul, parts, parts)) ** 0.5
    raised = tuple(float(part + _UP) for part in parts)
    return Aim(int(bits, 2).to_bytes(OUTLINE), raised, length)


def _list_nearest(db: sqlite3.Connection, outline: bytes) -> list[int]:
    """Return the passages whose outlines differ least from *outline*; of those that differ as
    much, the first ones.
    """
    docs: list[int] = []
    packs = []
    for pack, signs in db.execute(
        "SELECT pack, signs FROM outlines ORDER BY pack"
    ):
        docs += range(pack * PACK, pack * PACK + len(signs) // OUTLINE)
        packs.append(signs)
    differences = count_differences(b"".join(packs), outline)
    nearest: list[int] = []
    for difference in sorted(set(differences)):
        place = differences.find(difference)
        while place >= 0 and len(nearest) < NEAREST:
            nearest.append(docs[place])
            place = differences.find(difference, place + 1)
    return nearest


def count_differences(outlines: bytes, outline: bytes) -> bytes:
    """Return in how many signs each of *outlines* differs from *outline*, a byte for each; 255 also
    where all 256 signs differ.

    All are counted at once: the first bytes of all outlines, then the second ones, each added to
    whole numbers that have a byte for each outline (SIMD within a register, Lamport 1975).
    """
    ones = int.from_bytes(b"\1" * (len(outlines) // OUTLINE))
    halves = [0, 0]  # a byte holds what half of an outline differs in
    for place, signs in enumerate(outline):
        column = outlines[place::OUTLINE].translate(_differing_bits(signs))
        halves[place % 2] += int.from_bytes(column)
    first, second = halves
    every = (first & second) >> 7 & ones  # 128 and 128 have no room in a byte
    return (first - every + second).to_bytes(len(outlines) // OUTLINE)


def _differing_bits(signs: int) -> bytes:
    """Return of each byte in how many bits it differs from *signs*."""
    return bytes(map(signs.__xor__, range(256))).translate(_BITS)


def _measure(
    db: sqlite3.Connection, aim: Aim, docs: Iterable[int]
) -> dict[int, float]:
    """Return the cosines of *docs*, above 0 only."""
    named = ",".join(map(str, docs))
    query = f"SELECT doc, length, code FROM meanings WHERE doc IN ({named})"
    cosines = {}
    for doc, length, code in db.execute(query):
        raised = code.translate(_RAISED)
        product = multiply(raised, length, aim.raised, aim.length)
        if product > 0:
            cosines[doc] = product / (length * aim.length)
    return cosines


def read_codes(db: sqlite3.Connection, docs: Iterable[int]) -> dict[int, Code]:
    """Return where *docs* point, those that have a vector."""
    named = ",".join(map(str, docs))
    query = f"SELECT doc, length, code FROM meanings WHERE doc IN ({named})"
    return {
        doc: Code(code.translate(_RAISED), length)
        for doc, length, code in db.execute(query)
    }
