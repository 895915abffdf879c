"""Originals: the bytes of external sources as they came in (MaM §5.4, CTX-2, CTX-4).

``refs/companion/originals`` names a tree of ours: the bytes under ``ab/<sha256>`` and beside them
``<sha256>.json`` with what was known at the door. The same bytes from another source are another
telling, ``<sha256>.<when>.json``: two sources are two voices. Bytes that stand between the members
of a container (`containers`) lie beside them as ``<sha256>.part``. Nothing is derived from any of
them. The ref stays on this machine: an original travels as an object of cold memory, after a night
has read it. Originals that a night locked are in a tree of their own (`locked_originals`).
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Literal

from companion.errors import MALFORMED, BadInput
from companion.storage.cold.stream import (
    Content,
    read_chunks,
    read_content,
    size_of,
)
from companion.storage.git import append_only_tree, layout
from companion.storage.git.objects import Pack, start_object
from companion.storage.git.repo import MissingObject, Repo
from companion.tuples import NamedTuple
from companion.values.events import JsonDocument
from companion.values.hashing import prepare, sha256

REF = "refs/companion/originals"
LOCKED = "refs/companion/locked"  # read by a night, and held back from all that leaves

#: of a container's manifest; see `containers`
CONTAINER = "application/vnd.companion.parts+json"

_SHAPE = re.compile(
    r"(?P<folder>[0-9a-f]{2})/(?P<id>[0-9a-f]{64})(\.part|(\.[\w-]+)*\.json)?"
)


class NotAnOriginal(BadInput):
    """There is no such original."""

    exit_code = 1
    hint = "`companion status` counts what waits; `companion show` finds a source by its title."


class DamagedOriginal(BadInput):
    """The bytes of an original are not those that came in."""

    hint = "`companion doctor` names every damaged original; a backup of .git may hold its bytes."


class ChangedMeanwhile(BadInput):
    """A file changed while it was read."""

    hint = "Wait until nothing writes to it, and run the same command again."


class Blanked(NamedTuple):
    """A secret that was blanked before the bytes were stored."""

    start: int  # byte offset
    length: int  # bytes
    kind: str  # of secret


class Original(NamedTuple):
    """An external source as it came in, without its bytes."""

    id: str  # sha256 of the bytes, 64 hex digits; of a container: of what `restore` gives
    blob: str  # their git blob; of a container: its manifest's
    size: int  # bytes
    media_type: str  # as told or as the first bytes say, e.g. application/pdf
    name: str  # the file's name, or the member's within its container
    source: (
        str  # where it came from: a path as `source_of` says it, or an address
    )
    received_at: str  # transaction time, RFC 3339 UTC with microseconds
    url: str | None = None
    # the id of the container that it was split off; None: it came alone
    container: str | None = None
    agent: str | None = None
    scope: Literal["shared", "private"] = "shared"
    # of the file or the answer, where one is known; RFC 3339 UTC
    modified_at: str | None = None
    utc_offset: int | None = None  # minutes, of the person's clock
    blanked: tuple[Blanked, ...] = ()
    # what a server said of the bytes, where they came from one
    status: int | None = None
    charset: str | None = None
    etag: str | None = None
    last_modified: str | None = None


#: bytes with their header; None instead of a header: bytes that a container has between members
Item = tuple[Original | None, Content]


def make_original(
    content: Content,
    *,
    media_type: str,
    name: str,
    source: str,
    received_at: str,
) -> Original:
    """Return the original that *content* is; its id exists before any write (TRI-2).

    *content* is bytes, or the path of a file, which is read without being held.
    """
    size = size_of(content)
    prepare(size)
    digest = sha256()
    blob = start_object("blob", size)
    for chunk in read_chunks(content):
        digest.update(chunk)
        blob.update(chunk)
    return Original(
        id=digest.hexdigest(),
        blob=blob.hexdigest(),
        size=size,
        media_type=media_type,
        name=name,
        source=source,
        received_at=received_at,
    )


# -- storing ---------------------------------------------------------------------------------------


def move_ref(repo: Repo, old: str | None, new: str) -> None:
    """Move the ref from the tree *old* to *new*, only if it is there still. Raises GitFailed."""
    current = {} if old is None else {REF: old}
    append_only_tree.move_refs(repo, current, {REF: new})


# -- reading ---------------------------------------------------------------------------------------


def find_tree(repo: Repo) -> str | None:
    """Return the tree of all originals; None before the first one. Raises DamagedRef."""
    return layout.read_ref(repo.place, REF)


def has(repo: Repo, id: str) -> bool:
    """Tell whether the original *id* is here, locked or not."""
    return bool(find_known(repo, [id]))


def find_known(repo: Repo, ids: Iterable[str]) -> set[str]:
    """Return those of *ids* that are here, locked or not; the refs are read once."""
    shelves = Shelves(repo, [find_tree(repo), find_locked(repo)])
    return {id for id in ids if shelves.has(path_of(id))}


def get(repo: Repo, id: str) -> Original:
    """Return the original *id* as it was told first, without its bytes.

    Raises NotAnOriginal, also for one that is locked.
    """
    header = repo.subtree(find_tree(repo), path_of(id) + ".json")
    if header is None:
        raise NotAnOriginal(f"no original has the id {id[:12]}")
    return decode(repo, header)


def read_tellings(repo: Repo, id: str) -> list[Original]:
    """Return every telling of the original *id*, the first one first. Raises NotAnOriginal."""
    tellings = Shelves(repo, [find_tree(repo)]).tellings(id)
    if not tellings:
        raise NotAnOriginal(f"no original has the id {id[:12]}")
    return sorted(tellings, key=lambda item: item.received_at)


def read_bytes(repo: Repo, item: Original) -> bytes:
    """Return the bytes of *item*, held against its id; of a container: its manifest.

    Raises NotAnOriginal where git has lost them, DamagedOriginal where they are others.
    """
    try:
        content = repo.blob(item.blob)
    except MissingObject as error:
        raise NotAnOriginal(f"git has lost the bytes of {item.name}") from error
    # git holds every object against its name: enough for a manifest, whose id is another's
    if item.media_type != CONTAINER and hash_content(content) != item.id:
        raise DamagedOriginal(f"the bytes of {item.name} are not what came in")
    return content


def stream_bytes(repo: Repo, item: Original) -> Iterator[bytes]:
    """Yield the bytes of *item* piece by piece, without holding them.

    The last step compares them with its id: raises DamagedOriginal after the last piece, and
    NotAnOriginal where git has lost them. Use nothing of it before it has ended.
    """
    digest = sha256()
    try:
        for chunk in read_content(repo, item.blob, item.size):
            digest.update(chunk)
            yield chunk
    except MissingObject as error:
        raise NotAnOriginal(f"git has lost the bytes of {item.name}") from error
    if item.media_type != CONTAINER and digest.hexdigest() != item.id:
        raise DamagedOriginal(f"the bytes of {item.name} are not what came in")


def find_part(repo: Repo, id: str) -> str:
    """Return the blob of the bytes *id* of a container. Raises NotAnOriginal."""
    blob = repo.subtree(find_tree(repo), path_of(id) + ".part")
    if blob is None:
        raise NotAnOriginal(f"bytes {id[:12]} of a container are not here")
    return blob


def list_ids(repo: Repo) -> set[str]:
    """Return the ids of all originals that are not locked; no header and no bytes are read."""
    ids: set[str] = set()
    for path, _, _ in repo.walk(find_tree(repo)):
        if "." not in path:
            ids.add(path[3:])
    return ids


def read(repo: Repo) -> Iterator[Original]:
    """Yield every original as it was told first, without its bytes, by id. Raises NotAnOriginal."""
    for path, _, blob in repo.walk(find_tree(repo)):
        if path.count(".") == 1 and path.endswith(".json"):
            yield decode(repo, blob)


def check(repo: Repo, theirs: str) -> None:
    """Raise NotAnOriginal unless every file in the tree *theirs* is what its name says.

    Headers are read, and no bytes: those are held against their id when they are used.
    """
    for path, _, blob in repo.walk(theirs):
        shape = _SHAPE.fullmatch(path)
        if shape is None or shape["folder"] != shape["id"][:2]:
            raise NotAnOriginal(f"{path[:120]!r} has no place among originals")
        if path.endswith(".json") and decode(repo, blob).id != shape["id"]:
            raise NotAnOriginal(f"{path}: its header is another's")


def unite(repo: Repo, theirs: str) -> None:
    """Move the ref to the union of ours and the tree *theirs*, which was checked.

    Raises NotAnOriginal or GitFailed.
    """
    base = find_tree(repo)
    with Pack(repo.place.common_dir) as pack:
        both = append_only_tree.unite_trees(
            repo, pack, base, theirs, NotAnOriginal
        )
    if both != base:
        move_ref(repo, base, both)


class Shelves:
    """The folders of some trees of originals, each read once."""

    def __init__(self, repo: Repo, trees: list[str | None]) -> None:
        self._repo = repo
        self._trees = trees
        self._folders: dict[str, dict[str, str]] = {}  # blobs by name

    def has(self, path: str) -> bool:
        """Tell whether the file *path* is there."""
        folder, _, name = path.partition("/")
        return name in self._folder(folder)

    def tellings(self, id: str) -> list[Original]:
        """Return every telling of the original *id*, the one under its plain name first."""
        headers = {}
        for name, blob in self._folder(id[:2]).items():
            if name.startswith(id + ".") and name.endswith(".json"):
                headers[name] = blob
        names = sorted(headers, key=len)
        return [decode(self._repo, headers[name]) for name in names]

    def _folder(self, folder: str) -> dict[str, str]:
        names = self._folders.get(folder)
        if names is None:
            names = {}
            for tree in self._trees:
                inner = self._repo.subtree(tree, folder)
                if inner is not None:
                    for entry in self._repo.entries(inner):
                        names[entry.name] = entry.id
            self._folders[folder] = names
        return names


def find_locked(repo: Repo) -> str | None:
    """Return the tree of the locked originals; None before the first. Raises DamagedRef."""
    return layout.read_ref(repo.place, LOCKED)


# -- names and headers -----------------------------------------------------------------------------


def path_of(id: str) -> str:
    """Return where the bytes *id* lie in a tree of originals."""
    return f"{id[:2]}/{id}"


def hash_content(content: Content) -> str:
    """Return the sha256 of *content*, 64 hex digits."""
    digest = sha256()
    for chunk in read_chunks(content):
        digest.update(chunk)
    return str(digest.hexdigest())


def encode(item: Original) -> JsonDocument:
    """Return the header of *item* as its file has it, without empty fields."""
    header: JsonDocument = {"v": 1}
    for key, value in item._asdict().items():
        if value not in (None, ()):
            header[key] = value
    return header


def decode(repo: Repo, blob: str) -> Original:
    """Return the original whose header is *blob*. Raises NotAnOriginal."""
    try:
        fields = json.loads(repo.blob(blob))
        if fields.pop("v") != 1:
            raise NotAnOriginal(
                "a newer companion wrote this original",
                hint="Upgrade companion-wiki.",
            )
        blanked = tuple(Blanked(*item) for item in fields.pop("blanked", ()))
        return Original(**fields, blanked=blanked)
    except MALFORMED as error:
        raise NotAnOriginal(
            "an original has no header that can be read"
        ) from error
