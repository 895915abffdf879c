"""Trees that only ever grow, under refs of ours: the buffer's and cold memory's.

No commits: a tree is a superset of the last one, so that its union with another machine's is
commutative, associative and idempotent. Where two machines gave one name to two files, the lower
blob id keeps the name and the other stands beside it, as ``<name>.<blob>.json``; no file ever
leaves such a tree.
"""

import json
from collections.abc import Container, Mapping

from companion.errors import BadInput
from companion.storage.files import durable
from companion.storage.git import setup
from companion.storage.git.command import run_git
from companion.storage.git.objects import Pack
from companion.storage.git.repo import Repo
from companion.storage.git.trees import (
    FILE,
    TREE,
    Change,
    Entry,
    edit_tree,
    encode_tree,
    read_by_name,
)
from companion.values.events import JsonDocument

Files = dict[str, Change]  # by path


def add_json(pack: Pack, item: JsonDocument) -> str:
    """Add *item* to the pack as JSON; return its blob."""
    text = json.dumps(item, ensure_ascii=False, sort_keys=True)
    return pack.add("blob", text.encode("utf-8", "surrogatepass"))


def add_files(repo: Repo, pack: Pack, base: str | None, files: Files) -> str:
    """Return *base* with *files*, which replace nothing there.

    Raises TreeConflict or UnsafePath.
    """
    if base is not None:
        files = _beside_others(repo, base, files)
    tree = edit_tree(repo.entries, base, files, pack.add)
    assert tree is not None  # files are only ever added
    return tree


def unite_trees(
    repo: Repo, pack: Pack, ours: str | None, theirs: str, wrong: type[BadInput]
) -> str:
    """Return the tree that has all that two of them have.

    Raises *wrong* for what has no place in one.
    """
    if ours == theirs:
        return theirs
    entries = read_by_name(repo.entries, ours)
    for entry in repo.entries(theirs):
        mine = entries.get(entry.name)
        if entry.mode not in (TREE, FILE) or not _is_alike(entry, mine):
            raise wrong(f"{entry.name[:80]!r} has no place in it")
        if entry.mode == TREE:
            inner = None
            if mine is not None:
                inner = mine.id
            united = unite_trees(repo, pack, inner, entry.id, wrong)
            entries[entry.name] = Entry(entry.name, TREE, united)
        else:
            _add_beside(entries, entry)
    return pack.add("tree", encode_tree(entries.values()))


def lay_over(
    repo: Repo,
    pack: Pack,
    theirs: str,
    ours: str,
    doubted: Container[str],
    folder: str = "",
) -> str:
    """Return *theirs* with all that *ours* has, so that nothing leaves a remote, believed or not.

    Of *theirs* only the folders that ours has too are entered. A file at one of the paths *doubted*
    gives its name to ours and stands beside it; what is no file there is left out.
    """
    if ours == theirs:
        return ours
    entries = read_by_name(repo.entries, theirs)
    for entry in repo.entries(ours):
        there = entries.get(entry.name)
        path = folder + entry.name
        if there is None or there == entry:
            entries[entry.name] = entry
        elif there.mode == entry.mode == TREE:
            both = lay_over(repo, pack, there.id, entry.id, doubted, f"{path}/")
            entries[entry.name] = Entry(entry.name, TREE, both)
        elif there.mode == entry.mode == FILE and path not in doubted:
            _add_beside(entries, entry)
        else:
            entries[entry.name] = entry
            if there.mode == FILE:
                beside = _name_beside(entry.name, there.id)
                entries[beside] = Entry(beside, FILE, there.id)
    return pack.add("tree", encode_tree(entries.values()))


def _is_alike(entry: Entry, mine: Entry | None) -> bool:
    return mine is None or mine.mode == entry.mode


def _add_beside(entries: dict[str, Entry], entry: Entry) -> None:
    """Add a file; where another has its name, the lower blob id keeps the name."""
    mine = entries.get(entry.name)
    if mine is None or mine == entry:
        entries[entry.name] = entry
        return
    low, high = sorted((mine.id, entry.id))
    beside = _name_beside(entry.name, high)
    entries[entry.name] = Entry(entry.name, FILE, low)
    entries[beside] = Entry(beside, FILE, high)


def move_refs(
    repo: Repo, current: Mapping[str, str], new: Mapping[str, str]
) -> None:
    """Move the refs from *current* to *new* together, each only if it still names what we read.

    The move is durable, because the journal lets go of the bytes afterwards. Raises GitFailed.
    """
    commands = ""
    for ref, tree in sorted(new.items()):
        commands += f"update {ref} {tree} {current.get(ref, '0' * 40)}\n"
    durable.fault("buffer.refs")
    run_git(repo.place, "update-ref", "--stdin", stdin=commands.encode())
    durable.fault("buffer.refs", "placed")
    setup.sync_refs(repo.place, new)
    durable.fault("buffer.refs", "after")


def _beside_others(repo: Repo, base: str, files: Files) -> Files:
    """Return *files* under names that replace nothing.

    Another machine's tree may have come in meanwhile.
    """
    placed: Files = {}
    # folder by folder: the repo remembers only the last ones it read
    for path in sorted(files):
        change = files[path]
        standing = repo.subtree(base, path)
        if change is None or standing is None or standing == change[1]:
            placed[path] = change
            continue
        low, high = sorted((change[1], standing))
        placed[path] = (FILE, low)
        placed[_name_beside(path, high)] = (FILE, high)
    return placed


def _name_beside(name: str, blob: str) -> str:
    stem, suffix, _ = name.partition(".json")
    return f"{stem}.{blob}{suffix}"
