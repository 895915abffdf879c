"""Cold memory: full contents that the active wiki no longer shows (MaM §5.4, OBJ-3).

``refs/companion/cold`` names a tree of days that only ever grows, like the buffer's; an item is the
bytes under their id, and beside them ``<id>.json``: the blob, where they come from (a page's path,
or a URL), and the commitment that the way back is kept. An object never changes and never goes;
compressing again makes another one. An id names an instant and an entry and nothing of the content,
for a hash of erased words could be guessed against. The bytes are the full text of a page, or an
original: then the header has what the door knew of it, and bytes are held against the original's
id whenever they are read.
"""

import json
import re
from collections.abc import Iterator, Sequence

from companion.errors import MALFORMED, BadInput
from companion.storage.cold.originals import CONTAINER, Original
from companion.storage.cold.stream import read_content as stream_blob
from companion.storage.git import append_only_tree, layout
from companion.storage.git.append_only_tree import Files
from companion.storage.git.objects import Pack
from companion.storage.git.repo import MissingObject, Repo
from companion.storage.git.trees import FILE
from companion.tuples import NamedTuple
from companion.values.events import JsonDocument
from companion.values.hashing import sha256
from companion.values.time import parse_instant

REF = "refs/companion/cold"
#: objects that were told in private: like the originals, they stay on this machine
PRIVATE_REF = "refs/companion/private-cold"

_PAGE = 1  # version of a header: the full text of a page
_ORIGINAL = 2  # … an original: what knows only pages must not take it for one
_BLOB = re.compile(r"[0-9a-f]{40}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
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
    # of an original: its id, the sha256 of the bytes; None: the full text of a page
    original: str | None = None
    media_type: str | None = None
    name: str | None = None  # of the file
    received_at: str | None = None  # when it came in, RFC 3339 UTC
    modified_at: str | None = None  # of the file or the answer
    size: int | None = None  # bytes
    container: str | None = None  # the id of the one it was split off
    blanked: int | None = None  # secrets that were blanked before it was stored
    scope: str | None = None  # "private"; None: shared


def make_id(entry: str, at: str) -> str:
    """Return the id of what is stored of *entry* at the instant *at*."""
    return f"{re.sub('[-:.Z]', '', at)}-{entry}"


def make_cold(
    item: Original, entry: str, at: str, *, previous: str | None = None
) -> Cold:
    """Return the cold object of the original *item* for the page *entry*, stored at *at*.

    Its way back is the address that it was fetched from, or the path or the source that it came by.
    *at* must differ between the objects of one entry. *previous* names the object that held the
    entry's content before.
    """
    path = None
    if item.url is None:
        path = item.source
    return Cold(
        make_id(entry, at),
        item.blob,
        entry,
        at,
        path,
        item.url,
        previous,
        original=item.id,
        media_type=item.media_type,
        name=item.name,
        received_at=item.received_at,
        modified_at=item.modified_at,
        size=item.size,
        container=item.container,
        blanked=len(item.blanked) or None,
        scope="private" if item.scope == "private" else None,
    )


def find_tree(repo: Repo) -> str | None:
    """Return the tree of cold memory; None before the first object. Raises DamagedRef."""
    return layout.read_ref(repo.place, REF)


def find_private_tree(repo: Repo) -> str | None:
    """Return the tree of what was told in private; None before the first. Raises DamagedRef."""
    return layout.read_ref(repo.place, PRIVATE_REF)


def put(repo: Repo, items: Sequence[tuple[Cold, bytes | None]]) -> None:
    """Store *items*, durably, before any page lets go of its text. The caller holds sleep.lock.

    Without bytes, the object's blob is in git already, as that of an original is: it is not
    written again. Raises ColdLost where it is not, DamagedRef, GitFailed, NotCold, TreeConflict or
    UnsafePath.
    """
    shared = [item for item in items if item[0].scope is None]
    private = [item for item in items if item[0].scope is not None]
    if shared:
        _put(repo, shared, REF)
    if private:
        _put(repo, private, PRIVATE_REF)


def _put(
    repo: Repo, items: Sequence[tuple[Cold, bytes | None]], ref: str
) -> None:
    base = layout.read_ref(repo.place, ref)
    with Pack(repo.place.common_dir) as pack:
        files: Files = {}
        for item, data in items:
            check_object(item)
            if data is not None:
                assert pack.add("blob", data) == item.blob
            elif not repo.knows(item.blob):
                raise ColdLost(f"git has lost the bytes of {item.name}")
            path = _path_of(item.id)
            header = append_only_tree.add_json(pack, _header(item))
            files[path] = (FILE, item.blob)
            files[path + ".json"] = (FILE, header)
        grown = append_only_tree.add_files(repo, pack, base, files)
    _move_ref(repo, base, grown, ref)


def find(repo: Repo, id: str) -> Cold:
    """Return one object without its bytes. Raises ColdLost or NotCold."""
    try:
        path = _path_of(id) + ".json"
        header = repo.subtree(find_tree(repo), path)
        if header is None:
            header = repo.subtree(find_private_tree(repo), path)
        if header is None:
            raise ColdLost(f"cold memory has no object {id}")
        return read_header(repo, header)
    except MissingObject as error:
        raise ColdLost(
            f"git has lost the header of cold object {id}"
        ) from error


def get(repo: Repo, id: str) -> tuple[Cold, bytes]:
    """Return one object with its bytes. Raises ColdLost or NotCold."""
    item = find(repo, id)
    return item, b"".join(stream(repo, item))


def stream(repo: Repo, item: Cold) -> Iterator[bytes]:
    """Yield the bytes of *item* piece by piece.

    Those of an original are held against its id in the last step: use nothing of it before it has
    ended. Raises ColdLost.
    """
    digest = sha256()
    try:
        for chunk in stream_blob(repo, item.blob, item.size or 0):
            digest.update(chunk)
            yield chunk
    except MissingObject as error:
        raise ColdLost(
            f"git has lost the bytes of cold object {item.id}"
        ) from error
    # a container's blob is its manifest, and its id that of the whole
    is_checked = item.original is not None and item.media_type != CONTAINER
    if is_checked and digest.hexdigest() != item.original:
        raise ColdLost(
            f"the bytes of cold object {item.id} are not the original's"
        )


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
            yield read_header(repo, blob)


def check(repo: Repo, theirs: str, *, private: bool = False) -> None:
    """Raise NotCold unless every file in the tree *theirs* is what its name says.

    Raises MissingObject where bytes are not there.
    """
    for path, _, blob in repo.walk(theirs):
        shape = _SHAPE.fullmatch(path)
        if shape is None:
            raise NotCold(f"{path[:120]!r} has no place in cold memory")
        if shape["more"] is None:
            continue
        item = read_header(repo, blob)
        if item.id != shape["id"]:
            raise NotCold(f"{path}: it does not tell of the object in its name")
        check_object(item)
        if (item.scope is not None) != private:
            raise NotCold(f"{path}: what is private does not travel")


def check_object(item: Cold) -> None:
    """Raise NotCold unless *item* keeps a way back, and says of an original what it is."""
    if item.linkout is not True or not (item.path or item.url):
        raise NotCold(f"{item.id}: it does not keep the way back (CTX-1)")
    if not _BLOB.fullmatch(item.blob):
        raise NotCold(f"{item.id}: it names no content")
    if item.original is None:
        return
    is_said = item.media_type and item.received_at
    if not _SHA256.fullmatch(item.original) or not is_said:
        raise NotCold(f"{item.id}: it does not say which original it is")


def unite(repo: Repo, theirs: str) -> str:
    """Move cold memory to the union of ours and the tree *theirs*; return it.

    The caller holds sleep.lock. Raises NotCold.
    """
    return _unite(repo, theirs, REF)


def unite_private(repo: Repo, theirs: str) -> str:
    """Do the same for what was told in private, which only an export brings."""
    check(repo, theirs, private=True)
    return _unite(repo, theirs, PRIVATE_REF)


def _unite(repo: Repo, theirs: str, ref: str) -> str:
    base = layout.read_ref(repo.place, ref)
    with Pack(repo.place.common_dir) as pack:
        both = append_only_tree.unite_trees(repo, pack, base, theirs, NotCold)
    if both != base:
        _move_ref(repo, base, both, ref)
    return both


def _move_ref(repo: Repo, old: str | None, new: str, ref: str) -> None:
    current = {}
    if old is not None:
        current[ref] = old
    append_only_tree.move_refs(repo, current, {ref: new})


def _path_of(id: str) -> str:
    parts = _ID.fullmatch(id)
    if parts is None:
        raise NotCold(f"{id[:80]!r} names no object of cold memory")
    year, month, day, _ = parts.groups()
    # nothing of the entry: an erasure may give it another id
    return f"{year}-{month}-{day}/{id}"


def _header(item: Cold) -> JsonDocument:
    version = _PAGE
    if item.original is not None:
        version = _ORIGINAL
    header: JsonDocument = {"v": version}
    for key, value in item._asdict().items():
        if value is not None:
            header[key] = value
    return header


def read_header(repo: Repo, blob: str) -> Cold:
    """Return the object whose header is *blob*. Raises NotCold or MissingObject."""
    try:
        fields = json.loads(repo.blob(blob))
        version = fields.pop("v")
        if version not in (_PAGE, _ORIGINAL):
            raise NotCold(
                "a newer companion wrote this object",
                hint="Upgrade companion-wiki.",
            )
        item = Cold(**fields)
        _check_types(fields)
        parse_instant(item.stored_at)
        _path_of(item.id)
        if (version == _ORIGINAL) != (item.original is not None):
            raise ValueError("a header of another version")
    except MALFORMED as error:
        raise NotCold(
            "an object of cold memory has no header that can be read"
        ) from error
    return item


def _check_types(fields: JsonDocument) -> None:
    """Raise ValueError unless each value is of the type that `Cold` says."""
    for key, value in fields.items():
        wanted: type = str
        if key == "linkout":
            wanted = bool
        elif key in ("size", "blanked"):
            wanted = int
        if type(value) is not wanted:
            raise ValueError(f"{key} is of another kind")
