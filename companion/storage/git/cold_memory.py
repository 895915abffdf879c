"""Cold memory: full contents that the active wiki no longer shows (MaM §5.4, OBJ-3).

``refs/companion/cold`` names a tree of days that only ever grows, like the buffer's; an item is the
bytes under their id, and beside them ``<id>.json``: the blob, where they come from (a page's path,
or a URL), and the commitment that the way back is kept. An object never changes and never goes;
compressing again makes another one. An id names an instant and an entry and nothing of the content,
for a hash of erased words could be guessed against.
"""

import json
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from companion.errors import MALFORMED, BadInput
from companion.storage.git import append_only_tree, layout
from companion.storage.git.append_only_tree import Files
from companion.storage.git.objects import Pack
from companion.storage.git.repo import MissingObject, Repo
from companion.storage.git.trees import FILE
from companion.values.events import JsonDocument
from companion.values.time import parse_instant

REF = "refs/companion/cold"

_ID = re.compile(r"(\d{4})(\d\d)(\d\d)T\d{12}-([a-z2-7]{16})")
_SHAPE = re.compile(
    r"\d{4}-\d\d-\d\d/(?P<id>\d{8}T\d{12}-[a-z2-7]{16})(\.[0-9a-f]{40})?(?P<more>\.json)?"
)


class NotCold(BadInput):
    """This is no cold memory of companion's."""

    hint = "Nothing was taken from it. Was it written by a newer companion, or by something else?"


class ColdLost(BadInput):
    """An object is missing from cold memory."""

    hint = (
        "`companion doctor` says what is gone; "
        "another clone or `companion remote sync` may have it."
    )


class Cold(NamedTuple):
    """A cold memory object (OBJ-3), without its bytes."""

    id: str
    blob: str  # of the full content
    entry: str
    stored_at: str
    path: str | None = None  # the page that held it
    url: str | None = None  # where it came from, if from outside
    # the object that held the entry's content before; it stays
    previous: str | None = None
    linkout: bool = True  # the way back is never traded away (CTX-1)


def make_id(entry: str, at: str) -> str:
    """Return the id of what is stored of *entry* at the instant *at*."""
    return f"{re.sub('[-:.Z]', '', at)}-{entry}"


def find_tree(repo: Repo) -> str | None:
    """Return the tree of cold memory; None before the first object. Raises DamagedRef."""
    return layout.read_refs(repo.place, "refs/companion").get(REF)


def put(repo: Repo, items: Sequence[tuple[Cold, bytes]]) -> None:
    """Store *items*, durably, before any page lets go of its text. The caller holds sleep.lock.

    Raises DamagedRef, GitFailed, NotCold, TreeConflict or UnsafePath.
    """
    if not items:
        return
    base = find_tree(repo)
    with Pack(repo.place.common_dir) as pack:
        files: Files = {}
        for item, data in items:
            blob = pack.add("blob", data)
            assert blob == item.blob
            path = _path_of(item.id)
            header = append_only_tree.add_json(pack, _header(item))
            files[path] = (FILE, blob)
            files[path + ".json"] = (FILE, header)
        grown = append_only_tree.add_files(repo, pack, base, files)
    _move_ref(repo, base, grown)


def get(repo: Repo, id: str) -> tuple[Cold, bytes]:
    """Return one object with its bytes. Raises ColdLost."""
    where = find_tree(repo)
    try:
        header = repo.subtree(where, _path_of(id) + ".json")
        if header is None:
            raise ColdLost(f"cold memory has no object {id}")
        item = _read(repo, header)
        return item, repo.blob(item.blob)
    except MissingObject as error:
        raise ColdLost(f"git has lost the bytes of cold object {id}") from error


def read_content(repo: Repo, id: str, blob: str) -> bytes:
    """Return the bytes of the object *id*, whose blob is *blob*. Raises ColdLost.

    A plain clone has no cold memory, but it has the blob: the page held it once.
    """
    if repo.has(blob):
        return repo.blob(blob)
    return get(repo, id)[1]


def read(repo: Repo) -> Iterator[Cold]:
    """Yield every object, oldest first, without its bytes. Raises MissingObject or NotCold."""
    for path, _, blob in repo.walk(find_tree(repo)):
        if path.endswith(".json"):
            yield _read(repo, blob)


def check(repo: Repo, theirs: str) -> None:
    """Raise NotCold unless every file in the tree *theirs* is what its name says.

    Raises MissingObject where bytes are not there.
    """
    for path, _, blob in repo.walk(theirs):
        shape = _SHAPE.fullmatch(path)
        if shape is None:
            raise NotCold(f"{path[:120]!r} has no place in cold memory")
        if shape["more"] is None:
            continue
        item = _read(repo, blob)
        has_origin = item.path or item.url
        if item.id != shape["id"] or not item.linkout or not has_origin:
            raise NotCold(f"{path}: it does not tell of the object in its name")


def unite(repo: Repo, theirs: str) -> str:
    """Move cold memory to the union of ours and the tree *theirs*; return it.

    The caller holds sleep.lock. Raises NotCold.
    """
    base = find_tree(repo)
    with Pack(repo.place.common_dir) as pack:
        both = append_only_tree.unite_trees(repo, pack, base, theirs, NotCold)
    if both != base:
        _move_ref(repo, base, both)
    return both


def _move_ref(repo: Repo, old: str | None, new: str) -> None:
    current = {}
    if old is not None:
        current[REF] = old
    append_only_tree.move_refs(repo, current, {REF: new})


def _path_of(id: str) -> str:
    parts = _ID.fullmatch(id)
    if parts is None:
        raise NotCold(f"{id[:80]!r} names no object of cold memory")
    year, month, day, _ = parts.groups()
    # nothing of the entry: an erasure may give it another id
    return f"{year}-{month}-{day}/{id}"


def _header(item: Cold) -> JsonDocument:
    header: JsonDocument = {"v": 1}
    for key, value in item._asdict().items():
        if value is not None:
            header[key] = value
    return header


def _read(repo: Repo, blob: str) -> Cold:
    try:
        fields = json.loads(repo.blob(blob))
        if fields.pop("v") != 1:
            raise NotCold(
                "a newer companion wrote this object",
                hint="Upgrade companion-wiki.",
            )
        item = Cold(**fields)
        parse_instant(item.stored_at)
        _path_of(item.id)
    except MALFORMED as error:
        raise NotCold(
            "an object of cold memory has no header that can be read"
        ) from error
    return item
