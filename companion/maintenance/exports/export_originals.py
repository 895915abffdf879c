"""The originals of an export: which go with it, and how large they are."""

from collections.abc import Iterable

from companion.maintenance.exports.export_format import Item
from companion.storage.cold import originals
from companion.storage.cold.originals import CONTAINER
from companion.storage.git import objects, trees
from companion.storage.git.command import run_git
from companion.storage.git.repo import Repo

_FIRST = 67  # characters: the folder and the id
_STREAMED = ("originals", "cold", "private-cold")


def list_originals(repo: Repo, *, with_private: bool) -> list[Item]:
    """Return the files of the originals that go with an export.

    Those that are locked stay, and without *with_private* what was told in private: an original
    that was told both ways goes with its shared tellings alone.
    """
    by_id: dict[str, list[Item]] = {}
    for path, mode, blob in repo.walk(originals.find_tree(repo)):
        id = path[3:].partition(".")[0]
        item = Item("originals", path, mode, blob)
        by_id.setdefault(id, []).append(item)
    items: list[Item] = []
    for group in by_id.values():
        items += _select_shared(repo, group, with_private=with_private)
    return _without_orphans(repo, items)


def _select_shared(
    repo: Repo, group: list[Item], *, with_private: bool
) -> list[Item]:
    if with_private:
        return group
    headers = []
    kept = []
    for item in group:
        if not item.path.endswith(".json"):
            kept.append(item)
        elif originals.decode(repo, item.blob).scope == "shared":
            headers.append(item)
    if not headers:
        return [item for item in kept if item.path.endswith(".part")]
    first = headers[0].path[:_FIRST] + ".json"
    if first not in [item.path for item in headers]:
        # its first telling was private: another one says what it is
        headers[0] = headers[0]._replace(path=first)
    return kept + headers


def _without_orphans(repo: Repo, items: list[Item]) -> list[Item]:
    """Return *items* without parts of containers that do not go with them."""
    from companion.storage.cold import containers

    wanted: set[str] = set()
    for item in items:
        if item.path.endswith(".json"):
            original = originals.decode(repo, item.blob)
            if original.media_type == CONTAINER:
                parts = containers.read(repo, original).parts
                wanted |= {part.id for part in parts if part.kind == "bytes"}
    kept = []
    for item in items:
        id, _, suffix = item.path[3:].partition(".")
        if suffix != "part" or id in wanted:
            kept.append(item)
    return kept


def make_tree(items: Iterable[Item]) -> str:
    """Return the id of the tree that *items* make; nothing is stored."""
    files: dict[str, trees.Change] = {}
    for item in items:
        files[item.path] = (item.mode, item.blob)
    tree = trees.edit_tree(_no_tree, None, files, objects.hash_object)
    return tree or trees.EMPTY_TREE


def _no_tree(id: str) -> list[trees.Entry]:
    raise AssertionError(f"a tree built from nothing asks for {id}")


def list_sizes(repo: Repo, items: Iterable[Item]) -> dict[str, int]:
    """Return how many bytes the originals have, by blob: they are not held as a whole."""
    blobs = {item.blob for item in items if item.section in _STREAMED}
    if not blobs:
        return {}
    names = "".join(f"{blob}\n" for blob in sorted(blobs)).encode()
    check = "--batch-check=%(objectname) %(objectsize)"
    sizes = {}
    for line in run_git(repo.place, "cat-file", check, stdin=names).split(
        b"\n"
    ):
        blob, _, size = line.decode().partition(" ")
        if size.isdecimal():
            sizes[blob] = int(size)
    return sizes
