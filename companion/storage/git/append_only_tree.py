"""Trees that only ever grow, under refs of ours: the buffer's and cold memory's.

No commits: a tree is a superset of the last one, so that its union with another machine's is
commutative, associative and idempotent. Where two machines gave one name to two files, the lower
blob id keeps the name and the other stands beside it, as ``<name>.<blob>.json``; no file ever
leaves such a tree.
"""

import json
import os
from collections.abc import Mapping
from typing import Any

from companion.errors import BadInput
from companion.storage.files import durable
from companion.storage.git.objects import Entry, Pack, edit_tree, encode_tree
from companion.storage.git.repo import TREE, Repo, run_git

FILE = 0o100644

Files = dict[str, tuple[int, str] | None]


def json_blob(pack: Pack, item: Mapping[str, Any]) -> str:
    """Store a header; return its blob."""
    return pack.add(
        "blob",
        json.dumps(item, ensure_ascii=False, sort_keys=True).encode("utf-8", "surrogatepass"),
    )


def grow(repo: Repo, pack: Pack, base: str | None, files: Files) -> str:
    """Return *base* with *files*, which replace nothing there."""

    def read_tree(id: str) -> list[Entry]:
        return [Entry(*entry) for entry in repo.entries(id)]

    tree = edit_tree(
        read_tree, base, _beside_others(repo, base, files) if base else files, pack.add
    )
    assert tree is not None  # files are only ever added
    return tree


def union(repo: Repo, pack: Pack, ours: str | None, theirs: str, wrong: type[BadInput]) -> str:
    """Return the tree that has all that two of them have. Raises *wrong* for what has no place in
    one.
    """
    if ours == theirs:
        return theirs
    entries = {
        name: Entry(name, mode, id) for name, mode, id in (repo.entries(ours) if ours else ())
    }
    for name, mode, id in repo.entries(theirs):
        entry, mine = Entry(name, mode, id), entries.get(name)
        if mode not in (TREE, FILE) or (mine is not None and mine.mode != mode):
            raise wrong(f"{name[:80]!r} has no place in it")
        if mode == TREE:
            entries[name] = Entry(
                name, TREE, union(repo, pack, mine.id if mine else None, id, wrong)
            )
        elif mine is None or mine == entry:
            entries[name] = entry
        else:
            low, high = sorted((mine.id, id))
            entries[name] = Entry(name, FILE, low)
            beside = _beside(name, high)
            entries[beside] = Entry(beside, FILE, high)
    return pack.add("tree", encode_tree(entries.values()))


def move(repo: Repo, current: Mapping[str, str], new: Mapping[str, str]) -> None:
    """Move the refs together, each only if it still names what we read, durably: others let the
    bytes go then.
    """
    commands = [
        f"update {ref} {tree} {current.get(ref, '0' * 40)}\n" for ref, tree in sorted(new.items())
    ]
    durable.fault("buffer.refs")
    run_git(repo.place, "update-ref", "--stdin", stdin="".join(commands).encode())
    durable.fault("buffer.refs", "placed")
    # git syncs the files, and no folder.
    paths = {os.path.join(repo.place.common_dir, os.path.dirname(ref)) for ref in new}
    durable.sync_tree(sorted(paths | {os.path.dirname(path) for path in paths}))
    durable.fault("buffer.refs", "after")


def _beside_others(repo: Repo, base: str, files: Files) -> Files:
    """Return *files* under names that replace nothing: another machine's tree may have come in
    meanwhile.
    """
    placed: Files = {}
    for path in sorted(files):  # folder by folder: the repo remembers only the last ones it read
        entry, found = files[path], repo.subtree(base, path)
        if entry is None or found in (None, entry[1]):
            placed[path] = entry
            continue
        low, high = sorted((entry[1], str(found)))
        placed[path], placed[_beside(path, high)] = (FILE, low), (FILE, high)
    return placed


def _beside(name: str, blob: str) -> str:
    stem, json_, _ = name.partition(".json")
    return f"{stem}.{blob}{json_}"
