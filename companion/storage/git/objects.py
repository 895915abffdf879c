"""Git objects in bulk, in pure Python: loose ones for a capture, packs for a run.

No subprocess and no pygit2: a capture writes its blob in a fraction of a millisecond, and a pack
with its index costs less than handing the same bytes to git. SHA-1 repositories only.
"""

import os
import struct
import zlib
from array import array
from itertools import accumulate
from types import TracebackType

from companion.annotations import TYPE_CHECKING, Any
from companion.storage.files import durable
from companion.storage.files.vanished import remove, try_again
from companion.values.hashing import sha1

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

#: git's hash of a file without a byte
EMPTY_BLOB = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"

# zlib: on 2 kB of prose level 3 is 1 % smaller and up to a tenth slower, level 6 3 % and a quarter
LEVEL = 1

_HEADER_SIZE = 12  # bytes of a pack's header
_SPOOL_SIZE = 1 << 18  # bytes that are gathered before they are written
_SAMPLE = 1 << 14  # bytes that tell whether packing helps
_CHUNK = 1 << 20  # bytes of a file that are read at a time
_FAR = 1 << 31  # a pack index has offsets from here on in a table of their own
_KINDS = {"commit": 1, "tree": 2, "blob": 3, "tag": 4}
# git's own `gc` clears leftovers that begin with tmp_ in a pack folder
_TEMP = "tmp_companion-"
_TEMP_LOOSE = "tmp_obj_companion-"  # … and with tmp_obj_ beside loose objects


# -- one object ------------------------------------------------------------------------------------


def hash_object(kind: str, data: bytes) -> str:
    """Return the git id of *data* as a ``blob``, ``tree`` or ``commit``: 40 hex digits."""
    digest = start_object(kind, len(data))
    digest.update(data)
    return str(digest.hexdigest())


def start_object(kind: str, size: int) -> Any:
    """Return a hash object that gives the git id once the *size* bytes were added to it."""
    digest = sha1()
    digest.update(b"%s %d\0" % (kind.encode(), size))
    return digest


def hash_blob(data: bytes) -> str:
    """Return the git blob id of *data*, as `git hash-object --no-filters` would."""
    return hash_object("blob", data)


def write_loose(
    objects_dir: str, kind: str, data: bytes, *, sync: bool = False
) -> str:
    """Write one loose object and return its id; one that exists is left alone.

    Without *sync* a power cut may lose it, but leaves no damaged one: git would trust it for ever,
    whoever stored the same bytes next. With *sync* the object is durable when this returns: one
    written earlier without sync is read back, synced, and replaced should it be damaged. Raises
    StorageError.
    """
    oid = hash_object(kind, data)
    path = os.path.join(objects_dir, oid[:2], oid[2:])
    raw = b"%s %d\0%b" % (kind.encode(), len(data), data)
    # git may pack the object, or remove the folder, between any two steps
    try_again(lambda: _place_loose(path, raw, sync=sync))
    return oid


def _place_loose(path: str, raw: bytes, *, sync: bool) -> None:
    """Write the loose object *raw* to *path* unless it is there."""
    folder = os.path.dirname(path)
    if not sync and _has_content(path):
        return
    if sync and _holds(path, raw):
        durable.sync_tree([path, folder], point="sync.tree")
        return
    _make_folder(folder)
    packed = zlib.compress(raw, LEVEL)
    try:
        durable.write_new(
            path,
            packed,
            mode=0o444,
            sync_name=sync,
            point="object.loose",
            prefix=_TEMP_LOOSE,
        )
    except FileExistsError:
        # Either another process was faster, or what stands there is damaged: the same bytes mend
        # both.
        durable.replace(path, packed, mode=0o444, point="object.loose")
    if sync:
        # the fan-out folder may be new, and git never syncs it
        durable.sync_dir(os.path.dirname(folder))


def _make_folder(folder: str) -> None:
    """Make one of git's 256 folders, which all objects share."""
    with durable.guarded(folder):
        try:
            os.mkdir(folder)
        except FileExistsError:
            return


def _has_content(path: str) -> bool:
    try:
        return os.stat(path).st_size > 0
    except FileNotFoundError:
        return False


def _holds(path: str, raw: bytes) -> bool:
    """Tell whether the object at *path* is exactly *raw*."""
    try:
        with open(path, "rb") as file:
            return zlib.decompress(file.read()) == raw
    except (FileNotFoundError, zlib.error):
        return False


# -- packs -----------------------------------------------------------------------------------------


class Pack:
    """A pack under construction: added objects spool to disk, and `close` makes them git's.

    Nothing is visible to git before `close`. Memory grows with the number of objects (about 150
    bytes each), never with their size. As a context manager it closes on success and leaves nothing
    on failure.
    """

    def __init__(self, common_dir: str, *, level: int = LEVEL) -> None:
        self._folder = os.path.join(common_dir, "objects", "pack")
        self._level = level
        self._positions: dict[bytes, int] = {}  # of objects in the pack, by id
        self._crcs = array("L")
        self._offsets = array("Q")
        self._temp = ""
        self._fd = -1  # of the spool; -1 until something was written to it
        self._end = _HEADER_SIZE  # where the next record begins
        self._crc = 0  # of the record that is being copied
        self._unwritten: list[bytes] = []
        self._unwritten_size = 0

    def __len__(self) -> int:
        return len(self._positions)

    @property
    def size(self) -> int:
        """The bytes that the pack has on disk so far."""
        return self._end

    def __enter__(self) -> "Pack":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            self.close()
        else:
            self.abort()

    def add(self, kind: str, data: bytes) -> str:
        """Add a ``blob``, ``tree`` or ``commit`` and return its id; a repeat costs nothing."""
        oid = hash_object(kind, data)
        key = bytes.fromhex(oid)
        if key not in self._positions:
            packed = zlib.compress(data, _choose_level(data, self._level))
            record = _record_header(_KINDS[kind], len(data)) + packed
            self._positions[key] = len(self._positions)
            self._crcs.append(zlib.crc32(record))
            self._offsets.append(self._end)
            self._end += len(record)
            self._spool(record)
        return oid

    def add_file(self, path: str) -> str:
        """Add the bytes of the file *path* as a blob without holding them; return its id.

        Raises StorageError where the file changes while it is read.
        """
        with durable.guarded(path), open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            start = self._end
            try:
                oid = self._copy(file, path, size)
            except BaseException:
                self._forget_from(start)
                raise
        key = bytes.fromhex(oid)
        if key in self._positions:
            self._forget_from(start)
            return oid
        self._positions[key] = len(self._positions)
        self._crcs.append(self._crc)
        self._offsets.append(start)
        return oid

    def _copy(self, file: "BinaryIO", path: str, size: int) -> str:
        """Spool the rest of *file* as one record; return the id of the blob."""
        digest = start_object("blob", size)
        chunk = file.read(_CHUNK)
        packer = zlib.compressobj(_choose_level(chunk, self._level))
        self._crc = 0
        self._extend(_record_header(_KINDS["blob"], size))
        left = size
        while chunk:
            left -= len(chunk)
            digest.update(chunk)
            self._extend(packer.compress(chunk))
            chunk = file.read(_CHUNK)
        self._extend(packer.flush())
        if left:
            raise durable.StorageError(
                f"{path}: it changed while it was read",
                hint="Wait until nothing writes to it, and run the same command again.",
            )
        return str(digest.hexdigest())

    def _extend(self, data: bytes) -> None:
        """Spool another part of the record that `_copy` writes."""
        self._crc = zlib.crc32(data, self._crc)
        self._end += len(data)
        self._spool(data)

    def _forget_from(self, start: int) -> None:
        """Take back what was spooled from the offset *start* on."""
        with durable.guarded(self._folder):
            self._flush()
            os.ftruncate(self._fd, start)
            os.lseek(self._fd, start, os.SEEK_SET)
        self._end = start

    def close(self) -> str | None:
        """Make the objects git's and durable; return the pack's name, or None when it holds
        nothing.
        """
        if not self._positions:
            return None
        try:
            with durable.guarded(self._folder):
                return self._finish()
        finally:
            self.abort()

    def abort(self) -> None:
        """Forget what was added and remove the spool."""
        self._positions.clear()
        self._unwritten.clear()
        fd = self._fd
        self._fd = -1
        if fd >= 0:
            with durable.guarded(self._folder):
                os.close(fd)
                remove(self._temp)

    def _spool(self, record: bytes) -> None:
        self._unwritten.append(record)
        self._unwritten_size += len(record)
        if self._unwritten_size >= _SPOOL_SIZE:
            with durable.guarded(self._folder):
                self._flush()

    def _flush(self) -> None:
        if self._fd < 0:
            self._temp, self._fd = durable.open_temp(self._folder, prefix=_TEMP)
            durable.write_all(self._fd, bytes(_HEADER_SIZE))
        durable.write_all(self._fd, b"".join(self._unwritten))
        self._unwritten.clear()
        self._unwritten_size = 0

    def _finish(self) -> str:
        self._flush()
        trailer = self._seal()
        name = "pack-" + trailer.hex()
        path = os.path.join(self._folder, name)
        _keep_from_gc(path)
        # The pack before its index: git looks for *.idx, so that a crash between them shows it
        # nothing.
        try_again(lambda: self._place(path + ".pack"))
        _write_index(
            path + ".idx", self._index(sorted(self._positions), trailer)
        )
        durable.sync_dir(self._folder)
        durable.fault("pack.close", "after")
        return name

    def _place(self, path: str) -> None:
        """Give the spool its name; `git gc --prune=now` may have taken it for a leftover."""
        if not os.path.exists(self._temp):
            self._copy_spool()
        _place_pack(self._temp, path)

    def _copy_spool(self) -> None:
        """Write the sealed spool into a new file: no name leads to the open one any more."""
        spool = self._fd
        self._temp, self._fd = durable.open_temp(self._folder, prefix=_TEMP)
        try:
            for chunk in _read_whole(spool):
                durable.write_all(self._fd, chunk)
        finally:
            os.close(spool)
        os.fchmod(self._fd, 0o444)
        durable.fsync(self._fd)

    def _seal(self) -> bytes:
        """Write header and trailer, sync, and return the trailer: the SHA-1 of all before it."""
        durable.fault("pack.close")
        os.pwrite(
            self._fd, struct.pack(">4sII", b"PACK", 2, len(self._positions)), 0
        )
        durable.fault("pack.close", "torn")
        digest = sha1()
        for chunk in _read_whole(self._fd):
            digest.update(chunk)
        durable.write_all(self._fd, digest.digest())
        os.fchmod(self._fd, 0o444)
        durable.fsync(self._fd)
        durable.fault("pack.close", "staged")
        return bytes(digest.digest())

    def _index(self, ids: list[bytes], trailer: bytes) -> bytes:
        """Return the pack index, version 2 (gitformat-pack): fan-out, ids, CRCs, offsets,
        checksums.
        """
        order = [self._positions[id] for id in ids]
        crcs = [self._crcs[position] for position in order]
        near, far = _split_offsets(
            [self._offsets[position] for position in order]
        )
        parts = (
            b"\xfftOc" + struct.pack(">I", 2),
            struct.pack(">256I", *_fan_out(ids)),
            b"".join(ids),
            struct.pack(f">{len(crcs)}I", *crcs),
            struct.pack(f">{len(near)}I", *near),
            struct.pack(f">{len(far)}Q", *far),
            trailer,
        )
        body = b"".join(parts)
        digest = sha1()
        digest.update(body)
        return body + bytes(digest.digest())


def _choose_level(data: bytes, level: int) -> int:
    """Return *level*, or 0 for bytes that will not become smaller: those of a PDF or a picture."""
    if len(data) < _SAMPLE:
        return level
    middle = len(data) // 2
    sample = data[middle : middle + _SAMPLE]
    if len(zlib.compress(sample, 1)) * 10 > len(sample) * 9:
        return 0
    return level


def _split_offsets(offsets: list[int]) -> tuple[list[int], list[int]]:
    """Return a pack index's two tables of *offsets*; the first points into the second."""
    near = []
    far: list[int] = []
    for offset in offsets:
        if offset < _FAR:
            near.append(offset)
        else:
            near.append(_FAR | len(far))
            far.append(offset)
    return near, far


def _read_whole(fd: int) -> "Iterator[bytes]":
    """Yield the bytes of the open file *fd* from its beginning, and leave it at its end."""
    os.lseek(fd, 0, os.SEEK_SET)
    while chunk := os.read(fd, _CHUNK):
        yield chunk


def _place_pack(temp: str, path: str) -> None:
    try:
        durable.place_new(temp, path, point="pack.close")
    except FileExistsError:
        # the same objects in the same order: an earlier attempt wrote these very bytes
        return


def _write_index(path: str, data: bytes) -> None:
    try:
        durable.write_new(path, data, mode=0o444, point="pack.index")
    except FileExistsError:
        return  # an earlier attempt wrote it


_KEEP = b"companion: no ref names these objects yet\n"


def _keep_from_gc(path: str) -> None:
    """Keep `git gc --prune=now` away from the pack at *path* until `release_packs`.

    No ref names its objects yet.
    """
    try:
        durable.write_new(path + ".keep", _KEEP, sync=False)
    except FileExistsError:
        return  # an earlier attempt wrote it


def release_packs(common_dir: str) -> None:
    """Give our packs back to git's housekeeping. Only the holder of sleep.lock calls this."""
    folder = os.path.join(common_dir, "objects", "pack")
    for name in os.listdir(folder):
        if name.endswith(".keep"):
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                is_ours = file.read(len(_KEEP) + 1) == _KEEP
            if is_ours:
                os.unlink(path)


def _fan_out(ids: list[bytes]) -> list[int]:
    """Return, for each first byte, how many of *ids* begin with it or a lower one."""
    counts = [0] * 256
    for id in ids:
        counts[id[0]] += 1
    return list(accumulate(counts))


def _record_header(kind: int, size: int) -> bytes:
    """Return an object's type and size as gitformat-pack has them: 4 bits, then 7 at a time."""
    header = bytearray([kind << 4 | size & 15])
    size >>= 4
    while size:
        header[-1] |= 0x80  # another byte follows
        header.append(size & 127)
        size >>= 7
    return bytes(header)
