"""Vectors of single words, read from the static vectors without numpy: on the hot path of a search.

A word's tokens are found by the merges of its tokenizer (byte pair encoding, Sennrich et al. 2016),
whose pieces merge in the order of their numbers. Only the rows of these tokens are read from the
file.
"""

import os
import struct
from collections.abc import Callable

from companion.tuples import NamedTuple

DIMENSIONS = 256
TOKENS = 32_000
_ROW = struct.Struct(f"<{DIMENSIONS}e")
_BEGIN = "\u2581"  # stands before a word
_LONGEST = 40  # characters of a word that tells something

FindPiece = Callable[[str], int | None]


class Source(NamedTuple):
    """The file of the vectors, as it was when somebody checked its hash."""

    path: str
    size: int
    changed: int  # nanoseconds


def split_word(word: str, find_piece: FindPiece) -> list[int]:
    """Return the tokens of a folded *word*, as the tokenizer of the static vectors splits it."""
    parts = [_BEGIN, *word[:_LONGEST]]
    while len(parts) > 1:
        merged = [
            (number, at)
            for at in range(len(parts) - 1)
            if (number := find_piece(parts[at] + parts[at + 1])) is not None
        ]
        if not merged:
            break
        _, at = min(merged)
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    tokens: list[int] = []
    for part in parts:
        tokens += _number(part, find_piece)
    return tokens


def _number(part: str, find_piece: FindPiece) -> list[int]:
    """Return the token of *part*; those of its bytes where it has none."""
    own = find_piece(part)
    if own is not None:
        return [own]
    found = [find_piece(f"<0x{byte:02X}>") for byte in part.encode()]
    return [token for token in found if token is not None]


class Rows:
    """The rows of the vectors' file, one for each token."""

    def __init__(self, source: Source) -> None:
        """Open the file of *source*. Raises OSError."""
        self._file = open(source.path, "rb", buffering=0)  # noqa: SIM115
        self._start = source.size - TOKENS * _ROW.size

    def read(self, token: int) -> tuple[float, ...]:
        """Return the vector of *token*. Raises OSError or struct.error where the file is cut."""
        place = self._start + token * _ROW.size
        self._file.seek(place)
        return _ROW.unpack(self._file.read(_ROW.size))

    def close(self) -> None:
        self._file.close()


def is_unchanged(source: Source) -> bool:
    """Tell whether the file of *source* is the one whose hash was checked."""
    try:
        stat = os.stat(source.path)
    except OSError:
        return False
    return (stat.st_size, stat.st_mtime_ns) == (source.size, source.changed)
