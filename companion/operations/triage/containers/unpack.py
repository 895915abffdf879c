"""Unpack members of a zip, never more than the zip says they have."""

import os
import shutil
import tempfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from companion.errors import BadInput
from companion.operations.triage.containers.stretches import Stretch
from companion.storage.files import durable

_CHUNK = 2**18  # packed bytes that are read at a time
_PREFIX = "unpacked-"


class DamagedMember(BadInput):
    """Its bytes are not those that were packed."""

    hint = "Copy or export the zip again."


def unpack(file: BinaryIO, stretch: Stretch) -> Iterator[bytes]:
    """Yield the bytes of the member at *stretch*, and check them. Raises DamagedMember."""
    left = stretch.size
    crc = 0
    for chunk in _inflate(file, stretch):
        left -= len(chunk)
        if left < 0:
            raise DamagedMember("it unpacks to more than the zip says")
        crc = zlib.crc32(chunk, crc)
        yield chunk
    if left > 0:
        raise DamagedMember("it unpacks to less than the zip says")
    if crc != stretch.crc:
        raise DamagedMember("its checksum is wrong")


def unpack_head(file: BinaryIO, stretch: Stretch, size: int) -> bytes:
    """Return the first *size* bytes of the member. Raises DamagedMember."""
    head = b""
    for chunk in _inflate(file, stretch):
        head += chunk
        if len(head) >= size:
            break
    return head[:size]


def _inflate(file: BinaryIO, stretch: Stretch) -> Iterator[bytes]:
    engine = zlib.decompressobj(-zlib.MAX_WBITS)
    offset = stretch.offset
    end = stretch.offset + stretch.length
    while offset < end:
        file.seek(offset)
        packed = file.read(min(_CHUNK, end - offset))
        if not packed:
            raise DamagedMember("the zip ends within it")
        offset += len(packed)
        if not stretch.codec:
            yield packed
            continue
        try:
            while packed:
                yield engine.decompress(packed, 4 * _CHUNK)
                packed = engine.unconsumed_tail
        except zlib.error as error:
            raise DamagedMember("it cannot be unpacked") from error


class Scratch:
    """A folder for members that are too large to hold; it goes when the call ends.

    What a killed call left behind goes with the next one.
    """

    def __init__(self, state: str) -> None:
        self._state = state
        self._folder = ""
        self._count = 0

    def __enter__(self) -> "Scratch":
        return self

    def __exit__(self, *_: object) -> None:
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)

    def write(self, chunks: Iterator[bytes]) -> str:
        """Write *chunks* into a new file and return its path."""
        if not self._folder:
            _remove_leftovers(self._state)
            self._folder = tempfile.mkdtemp(
                prefix=f"{_PREFIX}{os.getpid()}-", dir=self._state
            )
        self._count += 1
        path = os.path.join(self._folder, str(self._count))
        # a full disk ends the call: it is no fault of the member
        with durable.guarded(path), open(path, "xb") as file:
            for chunk in chunks:
                file.write(chunk)
        return path


def _remove_leftovers(state: str) -> None:
    for name in os.listdir(state):
        if not name.startswith(_PREFIX):
            continue
        owner = name.removeprefix(_PREFIX).partition("-")[0]
        if owner.isdigit() and not _is_running(int(owner)):
            shutil.rmtree(os.path.join(state, name), ignore_errors=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    # another person's process has this number now
    except PermissionError:
        return True
    return True
