"""Locked originals: what a night read and holds back until the person decides.

Where only a night can see a secret, in a PDF or an Office file, the original moves from
``refs/companion/originals`` to ``refs/companion/locked``, with all its tellings. There it is in no
read, no export and no sync, and no night reads it again; only `list_locked` and `get` find it. The
person releases it, or drops it: its bytes then leave git's store. Each move is one transaction of
git's, so that an original is always in just one of the two. Where a container holds packed bytes of
it, those go along, and the container cannot be given back meanwhile.
"""

from collections.abc import Callable, Iterable

from companion.storage.cold import containers, originals
from companion.storage.cold.containers import Container
from companion.storage.cold.originals import (
    CONTAINER,
    LOCKED,
    REF,
    NotAnOriginal,
    Original,
    path_of,
)
from companion.storage.git import append_only_tree, layout
from companion.storage.git.command import GitFailed
from companion.storage.git.objects import Pack
from companion.storage.git.repo import Repo
from companion.storage.git.trees import FILE, Change, edit_tree

_ATTEMPTS = 20  # a move that loses the race against another process starts over

_Trees = dict[str, str]  # by ref


def lock(repo: Repo, ids: Iterable[str]) -> None:
    """Hold the originals *ids* back, durably; one that is locked already stays so.

    Raises NotAnOriginal, GitFailed or DamagedRef.
    """
    _move(repo, list(ids), REF, LOCKED)


def release(repo: Repo, ids: Iterable[str]) -> None:
    """Make the originals *ids* ordinary ones again, which the next night reads.

    Raises NotAnOriginal, GitFailed or DamagedRef.
    """
    _move(repo, list(ids), LOCKED, REF)


def drop(repo: Repo, ids: Iterable[str]) -> set[str]:
    """Take the locked originals *ids* out of every tree; return the objects that held them.

    The caller records the owner's decision, and removes the objects with `scrub.drop_objects` under
    sleep.lock. Raises NotAnOriginal, GitFailed or DamagedRef.
    """
    objects: set[str] = set()
    wanted = list(ids)

    def take_out(trees: _Trees, pack: Pack) -> _Trees:
        files = _find_files(repo, trees.get(LOCKED), wanted)
        packed = _find_packed(repo, trees.get(REF), wanted)
        files |= _find_parts(repo, trees.get(LOCKED), packed)
        objects.update(files.values())
        gone: dict[str, Change] = dict.fromkeys(files)
        return {LOCKED: _edit(repo, pack, trees.get(LOCKED), gone)}

    _change(repo, take_out)
    return objects


def list_locked(repo: Repo) -> set[str]:
    """Return the ids of the originals that are held back."""
    ids: set[str] = set()
    for path, _, _ in repo.walk(_find_tree(repo)):
        if "." not in path:
            ids.add(path[3:])
    return ids


def get(repo: Repo, id: str) -> Original:
    """Return the locked original *id* as it was told first. Raises NotAnOriginal."""
    header = repo.subtree(_find_tree(repo), path_of(id) + ".json")
    if header is None:
        raise NotAnOriginal(f"no locked original has the id {id[:12]}")
    return originals.decode(repo, header)


def _find_tree(repo: Repo) -> str | None:
    return layout.read_ref(repo.place, LOCKED)


def _move(repo: Repo, ids: list[str], source: str, target: str) -> None:
    def move(trees: _Trees, pack: Pack) -> _Trees:
        packed = _find_packed(repo, trees.get(REF), ids)
        files = _find_parts(repo, trees.get(source), packed)
        for id in ids:
            if not _find_files(repo, trees.get(target), [id], need=False):
                files.update(_find_files(repo, trees.get(source), [id]))
        if not files:
            return {}
        gone: dict[str, Change] = dict.fromkeys(files)
        there: append_only_tree.Files = {}
        for path, blob in files.items():
            there[path] = (FILE, blob)
        grown = append_only_tree.add_files(repo, pack, trees.get(target), there)
        return {
            source: _edit(repo, pack, trees.get(source), gone),
            target: grown,
        }

    _change(repo, move)


def _change(repo: Repo, make: Callable[[_Trees, Pack], _Trees]) -> None:
    """Move both refs to what *make* makes of them, again where another process was faster."""
    for _ in range(_ATTEMPTS):
        trees = _read_trees(repo)
        with Pack(repo.place.common_dir) as pack:
            new = make(trees, pack)
        if not new:
            return
        try:
            append_only_tree.move_refs(repo, trees, new)
        except GitFailed:
            if _read_trees(repo) == trees:
                raise
        else:
            return
    raise GitFailed(f"other processes kept moving {REF}")


def _read_trees(repo: Repo) -> _Trees:
    trees: _Trees = {}
    for ref in (REF, LOCKED):
        tree = layout.read_ref(repo.place, ref)
        if tree is not None:
            trees[ref] = tree
    return trees


def _find_files(
    repo: Repo, tree: str | None, ids: list[str], *, need: bool = True
) -> dict[str, str]:
    """Return the blobs of the files of *ids*, by path. Raises NotAnOriginal."""
    files: dict[str, str] = {}
    for id in ids:
        before = len(files)
        folder = repo.subtree(tree, id[:2])
        entries = [] if folder is None else repo.entries(folder)
        for entry in entries:
            is_told = entry.name.startswith(id + ".")
            is_part = entry.name.endswith(".part")
            if entry.name == id or (is_told and not is_part):
                files[f"{id[:2]}/{entry.name}"] = entry.id
        if need and len(files) == before:
            raise NotAnOriginal(f"no original has the id {id[:12]}")
    return files


def _find_parts(repo: Repo, tree: str | None, ids: list[str]) -> dict[str, str]:
    """Return the blobs of the literal bytes *ids*, by path, as far as *tree* has them."""
    files: dict[str, str] = {}
    for id in ids:
        path = f"{path_of(id)}.part"
        blob = repo.subtree(tree, path)
        if blob is not None:
            files[path] = blob
    return files


def _find_packed(repo: Repo, tree: str | None, ids: list[str]) -> list[str]:
    """Return the ids of literal bytes that are packed bytes of *ids*, in any container in *tree*.

    A container in a container may be packed itself: then its packed bytes hold theirs.
    """
    manifests = _read_manifests(repo, tree)
    inside = set(ids)
    found: set[str] = set()
    before = -1
    while before != len(inside):
        before = len(inside)
        for id, manifest in manifests.items():
            packed = {part.id for part in manifest.parts if part.of in inside}
            members = {part.id for part in manifest.parts if not part.of}
            found |= packed
            if packed or members & inside:
                inside.add(id)
    return sorted(found)


def _read_manifests(repo: Repo, tree: str | None) -> dict[str, Container]:
    """Return the manifests of the containers in *tree*, by id."""
    manifests: dict[str, Container] = {}
    for path, _, blob in repo.walk(tree):
        if path.endswith(".json"):
            item = originals.decode(repo, blob)
            if item.media_type == CONTAINER:
                manifests[item.id] = containers.read(repo, item)
    return manifests


def _edit(
    repo: Repo, pack: Pack, tree: str | None, changes: dict[str, Change]
) -> str:
    left = edit_tree(repo.entries, tree, changes, pack.add)
    if left is None:
        # a ref that once was there stays, so that the next change compares with it
        return pack.add("tree", b"")
    return left
