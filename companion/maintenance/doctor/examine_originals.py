"""Examine and mend originals: bytes, headers, and the cold objects of what nights have read.

Headers are read, and the names of bytes; git's own fsck, which the examination of git runs, holds
all bytes against their names without holding a film.
"""

from collections.abc import Iterator

from companion.maintenance.doctor.findings import LISTED, damage, note
from companion.maintenance.results import Finding
from companion.storage.cold import cold_memory, originals
from companion.storage.cold.cold_memory import ColdLost, NotCold
from companion.storage.cold.originals import LOCKED, NotAnOriginal, Original
from companion.storage.git import layout
from companion.storage.git.repo import DamagedObject, MissingObject, Repo
from companion.storage.index.schema import open_for_reading
from companion.storage.index.tables.sources import Source, list_sources
from companion.workspace import Workspace

_AGAIN = (
    "Take it in again with `companion ingest`, or fetch it from another clone:"
    " `git fetch` brings what git lacks."
)
_BACKUP = (
    "A backup of .git has it; or take the file in again: `companion ingest`."
)
_REPAIR = (
    "`companion doctor --repair` puts it back: the original is still here."
)
_ELSEWHERE = (
    "`companion remote sync` brings them where a remote has them; until then"
    " the address of each is on its page."
)


def examine_originals(ws: Workspace, repo: Repo) -> Iterator[Finding]:
    """Yield originals that lost bytes or header, and readings whose original is nowhere here.

    Raises DamagedRef, IndexDamaged or DamagedObject.
    """
    found: list[Finding] = []
    for ref in (originals.REF, LOCKED):
        found += _examine_tree(repo, layout.read_ref(repo.place, ref))
    yield from found[:LISTED]
    yield from _examine_readings(ws, repo)


def mend_originals(ws: Workspace) -> str:
    """Put back into cold memory the originals that it lacks and that are still here.

    Return a sentence on it. Raises what `cold_memory.put` does.
    """
    repo = Repo(ws.place)
    lacking = [source for source in _list_sources(ws) if _lacks(repo, source)]
    restored = []
    for source in lacking:
        item = _find(repo, source)
        if item is not None:
            cold = cold_memory.make_cold(item, source.entry, source.at)
            restored.append((cold._replace(id=source.cold), None))
    cold_memory.put(repo, restored)
    return (
        f"{len(restored)} of {len(lacking)} originals are in cold memory again"
    )


def name_originals(
    ws: Workspace, repo: Repo, wanted: set[str]
) -> Iterator[tuple[str, str]]:
    """Yield which of the objects *wanted* are an original's, and how a finding names it."""
    for item in originals.read(repo):
        if item.blob in wanted:
            yield item.blob, f"the original {item.source} ({item.id[:12]})"


def _examine_tree(repo: Repo, tree: str | None) -> Iterator[Finding]:
    """Yield what one tree of originals lacks."""
    headers: dict[str, Original] = {}
    contents: dict[str, str] = {}
    unreadable: set[str] = set()
    for path, _, blob in repo.walk(tree):
        id = path[3:].partition(".")[0]
        if path.endswith(".json"):
            try:
                headers.setdefault(id, originals.decode(repo, blob))
            except (NotAnOriginal, MissingObject, DamagedObject):
                unreadable.add(id)
        else:
            contents[path] = blob
    for path, blob in contents.items():
        id, _, suffix = path[3:].partition(".")
        if not repo.knows(blob):
            yield damage("original-lost", _describe_loss(headers, id), _AGAIN)
        if suffix != "part" and id not in headers:
            unreadable.add(id)
    for id in sorted(unreadable):
        what = f"the header of original {id[:12]} cannot be read: its name and source are lost"
        yield damage("original-header", what, _BACKUP)


def _describe_loss(headers: dict[str, Original], id: str) -> str:
    item = headers.get(id)
    if item is None:
        return f"git has lost bytes {id[:12]} of a container"
    return f"git has lost the bytes of the original {item.source} ({id[:12]})"


def _examine_readings(ws: Workspace, repo: Repo) -> Iterator[Finding]:
    """Yield what nights have read and cold memory does not hold."""
    lacking = [source for source in _list_sources(ws) if _lacks(repo, source)]
    here = [source for source in lacking if _find(repo, source) is not None]
    for source in here[:LISTED]:
        what = (
            f"cold memory lacks the original of {source.title} ({source.cold})"
        )
        yield damage("original-not-cold", what, _REPAIR)
    elsewhere = len(lacking) - len(here)
    if elsewhere:
        what = f"the originals of {elsewhere} sources are not in this clone"
        yield note("originals-elsewhere", what, _ELSEWHERE)


def _list_sources(ws: Workspace) -> list[Source]:
    db = open_for_reading(ws.place.index_db)
    if db is None:
        return []
    return list_sources(db)


def _lacks(repo: Repo, source: Source) -> bool:
    """Tell whether cold memory has no whole object of *source*."""
    try:
        item = cold_memory.find(repo, source.cold)
    except (ColdLost, NotCold):
        return True
    return item.original != source.original or not repo.knows(item.blob)


def _find(repo: Repo, source: Source) -> Original | None:
    """Return the original of *source*, if the door's tree has it with its bytes."""
    try:
        item = originals.get(repo, source.original)
    except NotAnOriginal:
        return None
    if not repo.knows(item.blob):
        return None
    return item
