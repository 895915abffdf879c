"""Read, write and edit git trees, and check the paths that they may hold."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from companion.errors import BadInput
from companion.tuples import NamedTuple

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
TREE = 0o040000  # the mode of a folder
FILE = 0o100644
LINK = 0o120000  # … of a symbolic link
GITLINK = 0o160000  # … of another repository's commit

_DEEPEST = 255  # folders in each other; edit_tree calls itself once for each


class UnsafePath(BadInput):
    """This path leads out of the wiki, or into git's own files."""

    hint = "Use a plain path relative to the wiki's root, through real folders."


class TreeConflict(BadInput):
    """The same path would be both a file and a folder."""

    hint = "Remove the one in the same change, or choose another name."


class Entry(NamedTuple):
    """One line of a git tree."""

    name: str  # UTF-8, foreign bytes as surrogate escapes
    mode: int  # FILE, 0o100755, LINK, 0o160000, or TREE
    id: str  # 40 hex digits


Change = tuple[int, str] | None  # (mode, blob id), or None to remove the file

ReadTree = Callable[[str], list[Entry]]
AddObject = Callable[[str, bytes], str]  # (kind, bytes) -> object id


# -- reading and writing ---------------------------------------------------------------------------


def parse_tree(data: bytes) -> list[Entry]:
    """Return the entries of a raw git tree, names that are not UTF-8 included."""
    entries = []
    at = 0
    while at < len(data):
        end = data.index(b"\0", at)
        mode, _, name = data[at:end].partition(b" ")
        plain = name.decode("utf-8", "surrogateescape")
        id = data[end + 1 : end + 21].hex()
        entries.append(Entry(plain, int(mode, 8), id))
        at = end + 21
    return entries


def read_by_name(read_tree: ReadTree, tree: str | None) -> dict[str, Entry]:
    """Return the entries of *tree* by name; none where there is no tree."""
    if tree is None:
        return {}
    return {entry.name: entry for entry in read_tree(tree)}


def encode_tree(entries: Iterable[Entry]) -> bytes:
    """Return *entries* as a raw git tree, in git's order."""
    lines = []
    for name, mode, id in entries:
        encoded = name.encode("utf-8", "surrogateescape")
        line = b"%o %b\0%b" % (mode, encoded, bytes.fromhex(id))
        # git sorts a folder as if its name ended in a slash
        key = encoded
        if mode == TREE:
            key += b"/"
        lines.append((key, line))
    lines.sort()
    return b"".join([line for _, line in lines])


# -- editing ---------------------------------------------------------------------------------------


def edit_tree(
    read_tree: ReadTree,
    base: str | None,
    changes: Mapping[str, Change],
    add: AddObject,
) -> str | None:
    """Return the tree that *base* becomes by *changes*, writing only new trees through
    ``add("tree", …)``.

    *changes* maps paths to (mode, blob id), or None to remove that file (a folder of that name, or
    nothing there, stays as it is). A folder goes with its last file; None when nothing is left.
    Raises UnsafePath for a path git would not check out, TreeConflict where a file would silently
    replace a folder or the other way round: remove the one in the same *changes*.
    """
    split_changes: _SplitChanges = []
    for path, change in changes.items():
        # A foreign tree may hold what we would never write; removing that must stay possible.
        parts = path.split("/")
        if change is not None:
            parts = check_path(path)
        split_changes.append((parts, change))
    return _edit(read_tree, base, split_changes, add)


def graft_tree(
    read_tree: ReadTree,
    base: str | None,
    folders: Sequence[str],
    tree: str,
    add: AddObject,
) -> str:
    """Return *base* with *tree* as the folder that *folders* lead to.

    *tree* itself is not read: git may not have it yet.
    """
    if not folders:
        return tree
    name = folders[0]
    entries = read_by_name(read_tree, base)
    inner = None
    if name in entries:
        inner = entries[name].id
    grafted = graft_tree(read_tree, inner, folders[1:], tree, add)
    entries[name] = Entry(name, TREE, grafted)
    return add("tree", encode_tree(entries.values()))


# (components of a path, its change)
_SplitChanges = list[tuple[Sequence[str], Change]]


def _edit(
    read_tree: ReadTree,
    base: str | None,
    changes: _SplitChanges,
    add: AddObject,
) -> str | None:
    before = read_by_name(read_tree, base)
    after = dict(before)
    files, folders = _group_by_folder(changes)
    # Removed files first: a folder may take the name of one, and the other way round.
    _drop_removed(after, files)
    for name, inner in folders.items():
        _edit_folder(read_tree, after, name, inner, add)
    for name, change in files.items():
        if change is not None:
            _put_file(after, name, change)
    if not after:
        return None
    if base is not None and after == before:
        return base
    return add("tree", encode_tree(after.values()))


def _drop_removed(
    entries: dict[str, Entry], files: Mapping[str, Change]
) -> None:
    for name, change in files.items():
        if change is None and not _is_folder(entries, name):
            entries.pop(name, None)


def _put_file(
    entries: dict[str, Entry], name: str, file: tuple[int, str]
) -> None:
    if _is_folder(entries, name):
        raise TreeConflict(f"{name}: a folder of this name stands there")
    entries[name] = Entry(name, *file)


def _edit_folder(
    read_tree: ReadTree,
    entries: dict[str, Entry],
    name: str,
    changes: _SplitChanges,
    add: AddObject,
) -> None:
    old = entries.get(name)
    if old is not None and old.mode != TREE:
        if any(change is not None for _, change in changes):
            raise TreeConflict(f"{name}: a file of this name stands there")
        return
    inner = None
    if old is not None:
        inner = old.id
    new = _edit(read_tree, inner, changes, add)
    if new is None:
        entries.pop(name, None)
    else:
        entries[name] = Entry(name, TREE, new)


def _group_by_folder(
    changes: _SplitChanges,
) -> tuple[dict[str, Change], dict[str, _SplitChanges]]:
    """Return the changes of files right here, and those inside each folder."""
    files: dict[str, Change] = {}
    folders: dict[str, _SplitChanges] = {}
    for parts, change in changes:
        if len(parts) == 1:
            files[parts[0]] = change
        else:
            folders.setdefault(parts[0], []).append((parts[1:], change))
    return files, folders


def _is_folder(entries: Mapping[str, Entry], name: str) -> bool:
    return name in entries and entries[name].mode == TREE


# -- paths -----------------------------------------------------------------------------------------

# What HFS+ ignores in a name: with any of these in it `.git` is still `.git` there (git's utf8.c).
_IGNORED = dict.fromkeys(
    (
        *range(0x200C, 0x2010),
        *range(0x202A, 0x202F),
        *range(0x206A, 0x2070),
        0xFEFF,
    )
)


def check_path(path: str) -> list[str]:
    """Return the components of *path*, relative to a wiki's root.

    Raises UnsafePath if it may not be written: absolute, empty, ``.`` and ``..``, NUL, ``.git`` as
    any file system might understand it, what has no bytes (a lone surrogate), components over 255
    bytes, more than 255 folders in each other.
    """
    parts = path.split("/")
    if len(parts) > _DEEPEST:
        raise UnsafePath(
            f"{path[:80]}…: more than {_DEEPEST} folders in each other"
        )
    for part in parts:
        objection = _object_to_name(part)
        if objection is not None:
            raise UnsafePath(f"{path[:200]!r}: {objection}")
    return parts


def _object_to_name(part: str) -> str | None:
    """Return why *part* may not be a component of a path; None when it may."""
    try:
        size = len(part.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        return "it is no valid Unicode"
    if part in ("", ".", "..") or "\0" in part:
        return "it is not a plain relative path"
    if size > 255:
        return "a name in it is longer than 255 bytes"
    if any(_is_dot_git(name) for name in part.split("\\")):
        return "it names git's own folder"
    return None


def _is_dot_git(name: str) -> bool:
    plain = name.translate(_IGNORED).split(":")[0].rstrip(" .").lower()
    return plain in (".git", "git~1")
