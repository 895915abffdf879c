"""Split a zip into its members, by its own table of contents.

Only the table and the members' headers are read; nothing is written anywhere but into the wiki, so
that a name like `../../x` can do no harm and is no more than a name. What is encrypted, damaged or
made to explode is named, and its bytes are kept as they stand in the zip.
"""

import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from companion.operations.triage.containers.stretches import Problem, Stretch

LARGEST_MEMBER = 4 * 2**30  # bytes of a member, unpacked
LARGEST_WHOLE = 16 * 2**30  # bytes of all members
MOST_MEMBERS = 200_000
# Prose packs to a fifth, logs to a fiftieth. Deflate's limit, which bombs are near, is 1,032.
_LARGEST_RATIO = 250
_HARMLESS = 2**20  # bytes that a member of any ratio may unpack to
_HEADER = struct.Struct("<4s5H3L2H")
_MARK = b"PK\3\4"
_ENCRYPTED = 0x1
_LENGTH_FOLLOWS = 0x8
_UTF8 = 0x800
_DAMAGED = "Copy or export it again; what can be read is taken."


class _Place(NamedTuple):
    """Where the packed bytes of a member stand."""

    start: int
    end: int
    info: zipfile.ZipInfo


def list_names(file: BinaryIO) -> tuple[list[str], bytes]:
    """Return the names of the members, and what the one called `mimetype` has.

    Raises zipfile.BadZipFile.
    """
    with zipfile.ZipFile(file) as archive:
        names = archive.namelist()
        if "mimetype" not in names:
            return names, b""
        info = archive.getinfo("mimetype")
        if info.file_size > 256 or info.flag_bits & _ENCRYPTED:
            return names, b""
        try:
            return names, archive.read(info)
        # it declares nothing then; the members are met one by one later. RuntimeError: a way of
        # packing that zipfile does not know.
        except (zipfile.BadZipFile, zlib.error, RuntimeError, OSError):
            return names, b""


def split_zip(file: BinaryIO) -> Iterator[Stretch | Problem]:
    """Yield the members of the zip *file* and the bytes between them."""
    size = file.seek(0, 2)
    try:
        with zipfile.ZipFile(file) as archive:
            infos = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, struct.error):
        reason = "its table of contents is missing or damaged"
        yield Problem("", "damaged", reason, _DAMAGED)
        infos = list(_find_members(file))
    done = 0
    for item in _judge(file, infos, size):
        if isinstance(item, Problem):
            yield item
            continue
        info = item.info
        if item.start > done:
            yield Stretch(done, item.start - done)
        codec = "deflate" if info.compress_type else ""
        yield Stretch(
            item.start,
            item.end - item.start,
            info.filename,
            codec,
            info.file_size,
            info.CRC,
        )
        done = item.end
    if done < size:
        yield Stretch(done, size - done)


def _find_members(file: BinaryIO) -> Iterator[zipfile.ZipInfo]:
    """Yield the members of a zip without a table of contents, by the header before each.

    It ends where a header does not say how long its member is, as some programs write them.
    """
    offset = 0
    for _ in range(MOST_MEMBERS):
        file.seek(offset)
        raw = file.read(_HEADER.size)
        if len(raw) < _HEADER.size or raw[:4] != _MARK:
            return
        _, _, flags, method, _, _, crc, packed, whole, name, extra = (
            _HEADER.unpack(raw)
        )
        if flags & _LENGTH_FOLLOWS:
            return
        encoding = "utf-8" if flags & _UTF8 else "cp437"
        info = zipfile.ZipInfo(file.read(name).decode(encoding, "replace"))
        info.header_offset = offset
        info.flag_bits = flags
        info.compress_type = method
        info.CRC = crc
        info.compress_size = packed
        info.file_size = whole
        yield info
        offset += _HEADER.size + name + extra + packed


def _judge(
    file: BinaryIO, infos: list[zipfile.ZipInfo], size: int
) -> Iterator[_Place | Problem]:
    """Yield the places of the members that can be unpacked, in order, and why others cannot."""
    if len(infos) > MOST_MEMBERS:
        reason = f"{len(infos):,} members, more than {MOST_MEMBERS:,}"
        yield Problem("", "too-many", reason, "Unpack it, and pack fewer.")
        return
    done = 0
    whole = 0
    for info in sorted(infos, key=lambda info: info.header_offset):
        if info.is_dir() or info.file_size == 0:
            continue
        problem = _find_fault(info, whole)
        place = None
        if problem is None:
            place = _find_place(file, info, done, size)
            problem = _OVERLAPS if place is None else None
        if place is None:
            assert problem is not None
            yield problem._replace(name=info.filename)
            continue
        whole += info.file_size
        done = place.end
        yield place


_OVERLAPS = Problem(
    "", "damaged", "its bytes are not where the zip says", _DAMAGED
)


def _find_fault(info: zipfile.ZipInfo, whole: int) -> Problem | None:
    """Return why a member is not unpacked; *whole* is what those before it unpack to."""
    if info.flag_bits & _ENCRYPTED:
        hint = "Unpack it with its password, and ingest the folder."
        return Problem("", "encrypted", "it is encrypted", hint)
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        reason = f"packed by method {info.compress_type}"
        return Problem("", "codec", reason, "Unpack it, and ingest the folder.")
    ratio = info.file_size / max(info.compress_size, 1)
    if info.file_size > _HARMLESS and ratio > _LARGEST_RATIO:
        reason = f"it would unpack to {ratio:,.0f} times its size"
        return Problem(
            "", "bomb", reason, "Unpack it yourself if you trust it."
        )
    if info.file_size > LARGEST_MEMBER or whole > LARGEST_WHOLE:
        reason = f"it would unpack to {info.file_size:,} bytes"
        return Problem("", "too-large", reason, "Unpack it, and ingest parts.")
    return None


def _find_place(
    file: BinaryIO, info: zipfile.ZipInfo, done: int, size: int
) -> _Place | None:
    """Return where the packed bytes of *info* stand; None where that cannot be."""
    file.seek(info.header_offset)
    raw = file.read(_HEADER.size)
    if len(raw) < _HEADER.size or raw[:4] != _MARK:
        return None
    fields = _HEADER.unpack(raw)
    start = info.header_offset + _HEADER.size + fields[-2] + fields[-1]
    end = start + info.compress_size
    if info.header_offset < done or end > size:
        return None
    if (
        info.compress_type == zipfile.ZIP_STORED
        and end - start != info.file_size
    ):
        return None
    return _Place(start, end, info)
