"""Pack bytes again exactly as a zip packed them: the level of zlib that gives the very stream.

Most zips are packed by zlib. Which settings it had is not recorded, so they are tried on the first
bytes, and what fits is tried on the whole. RFC 1951 names the format of the stream.
"""

import zlib
from collections.abc import Iterable, Iterator

from companion.errors import BadInput
from companion.storage.cold.stream import Content, read_chunks

_STEP = 1 << 16  # bytes that are packed before they are compared
_LEVELS = (6, 9, 5, 1, 2, 3, 4, 7, 8)  # the usual ones first
_MEMORY = (8, 9)  # zlib's default, and that of Info-ZIP
_DEFAULT_MEMORY = 8


class UnknownCodec(BadInput):
    """A part is packed in a way that this companion does not know."""

    hint = "Upgrade companion-wiki."


def find_codec(
    unpacked: Content, packed: Content, *, first: str = "deflate-6"
) -> str | None:
    """Return the codec with which *unpacked* becomes *packed*; None where there is none.

    *first* is tried first: members of one container are mostly packed alike.
    """
    for codec in (first, *_list_codecs()):
        if _gives(codec, unpacked, packed):
            return codec
    return None


def pack_stream(chunks: Iterable[bytes], codec: str) -> Iterator[bytes]:
    """Yield the bytes *chunks* packed by *codec*: "deflate-6", or "deflate-6-9".

    The second figure is zlib's memory level, where it is not the default. Raises UnknownCodec.
    """
    packer = _make_packer(codec)
    for chunk in chunks:
        packed = packer.compress(chunk)
        if packed:
            yield packed
    yield packer.flush()


def _list_codecs() -> Iterator[str]:
    for memory in _MEMORY:
        for level in _LEVELS:
            if memory == _DEFAULT_MEMORY:
                yield f"deflate-{level}"
            else:
                yield f"deflate-{level}-{memory}"


def _gives(codec: str, unpacked: Content, packed: Content) -> bool:
    """Tell whether *codec* makes *packed* of *unpacked*; most are found out at the first bytes."""
    wanted = _Reader(read_chunks(packed))
    steps = read_chunks(unpacked, _STEP)
    for chunk in pack_stream(steps, codec):
        if wanted.take(len(chunk)) != chunk:
            return False
    return not wanted.take(1)


class _Reader:
    """Takes pieces of any length from a stream of chunks."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._left = b""

    def take(self, size: int) -> bytes:
        """Return the next *size* bytes, fewer at the end."""
        while len(self._left) < size:
            chunk = next(self._chunks, b"")
            if not chunk:
                break
            self._left += chunk
        taken = self._left[:size]
        self._left = self._left[size:]
        return taken


def _make_packer(codec: str) -> "zlib._Compress":
    words = codec.split("-")
    figures = words[1:]
    known = words[0] == "deflate" and len(figures) in (1, 2)
    if not known or not all(figure.isdecimal() for figure in figures):
        raise UnknownCodec(f"unknown codec {codec[:40]!r}")
    memory = _DEFAULT_MEMORY
    if len(figures) == 2:
        memory = int(figures[1])
    return zlib.compressobj(int(figures[0]), zlib.DEFLATED, -15, memory)
