"""Git objects in bulk, in pure Python: loose ones for a capture, packs for a night, trees by their
changes.

No subprocess and no pygit2: a capture writes its blob in a fraction of a millisecond, and a pack
with its index costs less than handing the same bytes to git. SHA-1 repositories only.
"""

import os
import struct
import zlib
from array import array
from collections.abc import Callable, Iterable, Mapping
from types import TracebackType
from typing import NamedTuple

from companion.errors import BadInput
from companion.storage.files import durable
from companion.values.hashing import sha1

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
TREE = 0o040000
# zlib: on 2 kB of prose level 3 is 1 % smaller and up to a tenth slower, level 6 3 % and a quarter
LEVEL = 1

_KINDS = {"commit": 1, "tree": 2, "blob": 3, "tag": 4}
_DEEPEST = 255  # folders in each other; edit_tree calls itself once for each
_TEMP = "tmp_companion-"  # git's own `gc` clears leftovers that begin with tmp_ in a pack folder
_TEMP_LOOSE = "tmp_obj_companion-"  # … and with tmp_obj_ beside loose objects


class UnsafePath(BadInput):
    """This path leads out of the wiki, or into git's own files."""

    hint = "Use a plain path relative to the wiki's root, through real folders."


class TreeConflict(BadInput):
    """The same path would be both a file and a folder."""

    hint = "Remove the one in the same change, or choose another name."


class Entry(NamedTuple):
    """One line of a git tree."""

    name: str  # UTF-8, foreign bytes as surrogate escapes
    mode: int  # 0o100644, 0o100755, 0o120000, 0o160000, or TREE
    id: str  # 40 hex digits


Change = tuple[int, str] | None  # (mode, blob id), or None to remove the file


# --- one object
# ---------------------------------------------------------------------------------------------


def object_id(kind: str, data: bytes) -> str:
    """Return the git id of *data* as a ``blob``, ``tree`` or ``commit``: 40 hex digits."""
    digest = sha1()
    digest.update(b"%s %d\0" % (kind.encode(), len(data)))
    digest.update(data)
    return str(digest.hexdigest())


def blob_id(data: bytes) -> str:
    """Return the git blob id of *data*, as `git hash-object --no-filters` would."""
    return object_id("blob", data)


def write_loose(objects_dir: str, kind: str, data: bytes, *, sync: bool = False) -> str:
    """Write one loose object and return its id; one that exists is left alone.

    Without *sync* a power cut may lose it, but leaves no damaged one: git would trust it for ever,
    whoever stored the same bytes next. With *sync* the object is durable when this returns: one
    written earlier without sync is read back, synced, and replaced should it be damaged.
    """
    oid = object_id(kind, data)
    folder = os.path.join(objects_dir, oid[:2])
    path = os.path.join(folder, oid[2:])
    raw = b"%s %d\0%b" % (kind.encode(), len(data), data)
    if _is_whole(path, raw if sync else None):
        if sync:
            durable.sync_tree([path, folder], point="sync.tree")
        return oid
    with durable.guarded(folder):
        try:
            os.mkdir(folder)
        except FileExistsError:
            pass  # one of git's 256 folders, shared by all objects
    packed = zlib.compress(raw, LEVEL)
    try:
        durable.write_new(
            path, packed, mode=0o444, sync_name=sync, point="object.loose", prefix=_TEMP_LOOSE
        )
    except FileExistsError:
        # Either another process was faster, or what stands there is damaged: the same bytes mend
        # both.
        durable.replace(path, packed, mode=0o444, point="object.loose")
    if sync:
        durable.sync_dir(objects_dir)  # the fan-out folder may be new, and git never syncs it
    return oid


def _is_whole(path: str, raw: bytes | None) -> bool:
    """Whether an object stands at *path*; with *raw*, whether it holds exactly that."""
    try:
        if raw is None:
            return os.stat(path).st_size > 0
        with open(path, "rb") as file:
            return zlib.decompress(file.read()) == raw
    except (FileNotFoundError, zlib.error):
        return False


# --- packs
# --------------------------------------------------------------------------------------------------


class Pack:
    """A pack under construction: objects spool to disk as they are added, and `close` makes them
    git's.

    Nothing is visible to git before `close`. Memory grows with the number of objects (about 150
    bytes each), never with their size. As a context manager it closes on success and leaves nothing
    on failure.
    """

    def __init__(self, common_dir: str, *, level: int = LEVEL) -> None:
        self._folder = os.path.join(common_dir, "objects", "pack")
        self._level = level
        self._found: dict[bytes, int] = {}  # id → position
        self._crcs = array("L")
        self._offsets = array("Q")
        self._temp, self._fd, self._end = "", -1, 12
        self._waiting: list[bytes] = []
        self._size = 0

    def __len__(self) -> int:
        return len(self._found)

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
        oid = object_id(kind, data)
        key = bytes.fromhex(oid)
        if key not in self._found:
            record = _record_header(_KINDS[kind], len(data)) + zlib.compress(data, self._level)
            self._found[key] = len(self._found)
            self._crcs.append(zlib.crc32(record))
            self._offsets.append(self._end)
            self._end += len(record)
            self._spool(record)
        return oid

    def close(self) -> str | None:
        """Make the objects git's and durable; return the pack's name, or None when it holds
        nothing.
        """
        if not self._found:
            return None
        try:
            with durable.guarded(self._folder):
                return self._finish()
        finally:
            self.abort()

    def abort(self) -> None:
        """Forget what was added and remove the spool."""
        self._found.clear()
        self._waiting.clear()
        fd, self._fd = self._fd, -1
        if fd >= 0:
            with durable.guarded(self._folder):
                os.close(fd)
                os.unlink(self._temp)

    def _spool(self, record: bytes) -> None:
        self._waiting.append(record)
        self._size += len(record)
        if self._size >= 1 << 18:
            with durable.guarded(self._folder):
                self._flush()

    def _flush(self) -> None:
        if self._fd < 0:
            self._temp, self._fd = durable.open_temp(self._folder, prefix=_TEMP)
            durable.write_all(self._fd, bytes(12))
        durable.write_all(self._fd, b"".join(self._waiting))
        self._waiting.clear()
        self._size = 0

    def _finish(self) -> str:
        self._flush()
        trailer = self._seal()
        ids = sorted(self._found)
        name = "pack-" + trailer.hex()
        path = os.path.join(self._folder, name)
        fd, self._fd = self._fd, -1
        os.close(fd)
        _hold(path)
        # The pack before its index: git looks for *.idx, so that a crash between them shows it
        # nothing.
        try:
            durable.place_new(self._temp, path + ".pack", point="pack.close")
        except FileExistsError:
            pass  # the same objects in the same order: an earlier attempt wrote these very bytes
        try:
            durable.write_new(
                path + ".idx", self._index(ids, trailer), mode=0o444, point="pack.index"
            )
        except FileExistsError:
            pass
        durable.sync_dir(self._folder)
        durable.fault("pack.close", "after")
        return name

    def _seal(self) -> bytes:
        """Write header and trailer, sync, and return the trailer: the SHA-1 of all that stands
        before it.
        """
        durable.fault("pack.close")
        os.pwrite(self._fd, struct.pack(">4sII", b"PACK", 2, len(self._found)), 0)
        durable.fault("pack.close", "torn")
        digest = sha1()
        os.lseek(self._fd, 0, os.SEEK_SET)
        while chunk := os.read(self._fd, 1 << 20):
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
        order = [self._found[key] for key in ids]
        offsets = [self._offsets[at] for at in order]
        far = [offset for offset in offsets if offset >= 1 << 31]
        places = {offset: at for at, offset in enumerate(far)}
        near = [0x80000000 | places[offset] if offset >= 1 << 31 else offset for offset in offsets]
        body = b"".join(
            (
                b"\xfftOc" + struct.pack(">I", 2),
                struct.pack(">256I", *_fan_out(ids)),
                b"".join(ids),
                struct.pack(f">{len(order)}I", *(self._crcs[at] for at in order)),
                struct.pack(f">{len(near)}I", *near),
                struct.pack(f">{len(far)}Q", *far),
                trailer,
            )
        )
        digest = sha1()
        digest.update(body)
        return body + bytes(digest.digest())


_KEEP = b"companion: no ref names these objects yet\n"


def _hold(path: str) -> None:
    """Keep a `git gc --prune=now` away from the pack at *path* until `let_go`: no ref names its
    objects yet.
    """
    try:
        durable.write_new(path + ".keep", _KEEP, sync=False)
    except FileExistsError:
        pass  # an earlier attempt's


def let_go(common_dir: str) -> None:
    """Give every pack of ours back to git's own housekeeping. Only the holder of sleep.lock calls
    this.
    """
    folder = os.path.join(common_dir, "objects", "pack")
    for name in os.listdir(folder):
        if name.endswith(".keep"):
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                ours = file.read(len(_KEEP) + 1) == _KEEP
            if ours:
                os.unlink(path)


def _fan_out(ids: list[bytes]) -> list[int]:
    counts = [0] * 256
    for key in ids:
        counts[key[0]] += 1
    total = 0
    for at, number in enumerate(counts):
        counts[at] = total = total + number
    return counts


def _record_header(kind: int, size: int) -> bytes:
    """Return an object's type and size as gitformat-pack has them: 4 bits, then 7 at a time."""
    byte, size = kind << 4 | size & 15, size >> 4
    header = bytearray()
    while size:
        header.append(byte | 0x80)
        byte, size = size & 127, size >> 7
    header.append(byte)
    return bytes(header)


# --- trees
# --------------------------------------------------------------------------------------------------


def parse_tree(data: bytes) -> list[Entry]:
    """Return the entries of a raw git tree, names that are not UTF-8 included."""
    entries, at = [], 0
    while at < len(data):
        space = data.index(b" ", at)
        end = data.index(b"\0", space)
        name = data[space + 1 : end].decode("utf-8", "surrogateescape")
        entries.append(Entry(name, int(data[at:space], 8), data[end + 1 : end + 21].hex()))
        at = end + 21
    return entries


def encode_tree(entries: Iterable[Entry]) -> bytes:
    """Return *entries* as a raw git tree, in git's order: folders sort as if their names ended in
    ``/``.
    """
    lines = [(name.encode("utf-8", "surrogateescape"), mode, oid) for name, mode, oid in entries]
    lines.sort(key=lambda line: line[0] + b"/" if line[1] == TREE else line[0])
    return b"".join(b"%o %b\0%b" % (mode, name, bytes.fromhex(oid)) for name, mode, oid in lines)


def edit_tree(
    read_tree: Callable[[str], list[Entry]],
    base: str | None,
    changes: Mapping[str, Change],
    add: Callable[[str, bytes], str],
) -> str | None:
    """Return the tree that *base* becomes by *changes*, writing only new trees through
    ``add("tree", …)``.

    *changes* maps paths to (mode, blob id), or None to remove that file (a folder of that name, or
    nothing there, stays as it is). A folder goes with its last file; None when nothing is left.
    Raises UnsafePath for a path git would not check out, TreeConflict where a file would silently
    replace a folder or the other way round: remove the one in the same *changes*.
    """
    parted = []
    for path, change in changes.items():
        # A foreign tree may hold what we would never write; removing that must stay possible.
        parted.append((path.split("/") if change is None else check_path(path), change))
    return _edit(read_tree, base, parted, add)


_Parted = list[tuple[list[str], Change]]


def _edit(
    read_tree: Callable[[str], list[Entry]],
    base: str | None,
    changes: _Parted,
    add: Callable[[str, bytes], str],
) -> str | None:
    before = {} if base is None else {entry.name: entry for entry in read_tree(base)}
    after = dict(before)
    files, folders = _split(changes)
    for name, change in files.items():
        if change is None and _mode_of(after, name) != TREE:
            after.pop(name, None)
    for name, inner in folders.items():
        _edit_folder(read_tree, after, name, inner, add)
    for name, change in files.items():
        if change is not None:
            if _mode_of(after, name) == TREE:
                raise TreeConflict(f"{name}: a folder of this name stands there")
            after[name] = Entry(name, *change)
    if not after:
        return None
    return (
        base if base is not None and after == before else add("tree", encode_tree(after.values()))
    )


def _edit_folder(
    read_tree: Callable[[str], list[Entry]],
    entries: dict[str, Entry],
    name: str,
    inner: _Parted,
    add: Callable[[str, bytes], str],
) -> None:
    old = entries.get(name)
    if old is not None and old.mode != TREE:
        if any(change is not None for _, change in inner):
            raise TreeConflict(f"{name}: a file of this name stands there")
        return
    new = _edit(read_tree, old.id if old else None, inner, add)
    if new is None:
        entries.pop(name, None)
    else:
        entries[name] = Entry(name, TREE, new)


def _split(changes: _Parted) -> tuple[dict[str, Change], dict[str, _Parted]]:
    """Part *changes* into those of files right here and those inside each folder."""
    files: dict[str, Change] = {}
    folders: dict[str, _Parted] = {}
    for parts, change in changes:
        if len(parts) == 1:
            files[parts[0]] = change
        else:
            folders.setdefault(parts[0], []).append((parts[1:], change))
    return files, folders


def _mode_of(entries: dict[str, Entry], name: str) -> int | None:
    return entries[name].mode if name in entries else None


# --- paths
# --------------------------------------------------------------------------------------------------

# What HFS+ ignores in a name: with any of these in it `.git` is still `.git` there (git's utf8.c).
_IGNORED = dict.fromkeys(
    (*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF)
)


def check_path(path: str) -> list[str]:
    """Return the components of *path*, relative to a wiki's root; UnsafePath if it may not be
    written.

    Refused: absolute, empty, ``.`` and ``..``, NUL, ``.git`` as any file system might understand
    it, what has no bytes (a lone surrogate), components over 255 bytes, more than 255 folders in
    each other.
    """
    parts = path.split("/")
    if len(parts) > _DEEPEST:
        raise UnsafePath(f"{path[:80]}…: more than {_DEEPEST} folders in each other")
    for part in parts:
        reason = _objection(part)
        if reason:
            raise UnsafePath(f"{path[:200]!r}: {reason}")
    return parts


def _objection(part: str) -> str | None:
    try:
        size = len(part.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        return "it is no valid Unicode"
    if part in ("", ".", "..") or "\0" in part:
        return "it is not a plain relative path"
    if size > 255:
        return "a name in it is longer than 255 bytes"
    return "it names git's own folder" if any(map(_is_dot_git, part.split("\\"))) else None


def _is_dot_git(name: str) -> bool:
    plain = name.translate(_IGNORED).split(":")[0].rstrip(" .").lower()
    return plain in (".git", "git~1")
