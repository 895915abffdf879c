"""Originals after an erasure: their bytes, their headers and their ids.

Words in a text are overwritten by as many filler bytes, so that every span on record still finds
its passage. What is no text and holds the words becomes a sentence that says so. An original's id
is the hash of its bytes: it changes with them, in every header, manifest and ledger line.
"""

from collections.abc import Mapping
from typing import NamedTuple

from companion.storage.cold import originals
from companion.storage.cold.originals import LOCKED, REF
from companion.storage.git import layout, trees
from companion.storage.git.repo import Repo
from companion.storage.git.trees import EMPTY_TREE, AddObject, Change, Entry

#: refs whose trees are sorted by the ids of originals
REFS = (REF, LOCKED)


class ErasedSources(NamedTuple):
    """Blobs and ids that an erasure replaces, before it looks at anything else."""

    contents: Mapping[str, bytes]  # of originals, by blob; they are final
    records: Mapping[str, bytes]  # headers and manifests, by blob
    ids: Mapping[bytes, bytes]  # of originals

    def find(self, blob: str) -> bytes | None:
        """Return what stands in the place of *blob*; None where it stays."""
        if blob in self.contents:
            return self.contents[blob]
        return self.records.get(blob)

    def unite_alike(self, entries: list[Entry]) -> list[Entry]:
        """Return the entries of a tree in which originals that have become one stand once.

        `regroup` keeps both their headers in the tree that counts.
        """
        new_ids = {id.decode() for id in self.ids.values()}
        names: set[str] = set()
        kept: list[Entry] = []
        for entry in entries:
            is_source = entry.name.partition(".")[0] in new_ids
            if not is_source or entry.name not in names:
                kept.append(entry)
            names.add(entry.name)
        return kept


NO_SOURCES = ErasedSources({}, {}, {})


def regroup(
    repo: Repo,
    ref: str,
    new_blobs: Mapping[str, str],
    ids: Mapping[bytes, bytes],
    add: AddObject,
) -> str:
    """Return the tree of *ref* after the erasure, each file in the folder of its new id.

    *new_blobs* says what blobs become.
    """
    files: dict[str, Change] = {}
    for path, mode, blob in repo.walk(layout.read_ref(repo.place, ref)):
        name = path[3:]
        id, dot, suffix = name.partition(".")
        id = ids.get(id.encode(), id.encode()).decode()
        new = f"{originals.path_of(id)}{dot}{suffix}"
        if new in files and new.endswith(".json"):
            # two originals that have become one keep both their headers
            new = f"{originals.path_of(id)}.{blob}.json"
        files[new] = (mode, new_blobs.get(blob, blob))
    return trees.edit_tree(repo.entries, None, files, add) or EMPTY_TREE
