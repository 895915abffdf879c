"""The parts of a container: members, the bytes between them, and problems.

Stretches come in the order of the bytes, without gaps and overlaps, so that the container can be
put together again from them.
"""

from typing import NamedTuple

LARGEST_MEMBER = 64 * 2**20  # bytes of a member as it is held
CHUNK = 2**20  # bytes that are read at a time


class Stretch(NamedTuple):
    """A stretch of a container's bytes."""

    offset: int
    length: int
    # of a member, "" where it has none of its own; None: bytes between members
    name: str | None = None
    codec: str = ""  # how the member is packed: "", "deflate"
    size: int = 0  # bytes of the member, unpacked; 0: as many as the piece has
    crc: int | None = None  # of the member, where the container tells it


class Problem(NamedTuple):
    """A problem with a container or a member of it; the bytes are kept all the same."""

    name: str  # of the member; "" for the container
    kind: str
    reason: str
    hint: str


def refuse_large(name: str) -> Problem:
    """Say that the member *name* has more than `LARGEST_MEMBER` bytes."""
    reason = f"larger than {LARGEST_MEMBER // 2**20} MiB"
    hint = "Its bytes are kept, but nothing reads them: ingest it by itself."
    return Problem(name, "too-large", reason, hint)
