"""Examine and mend cold memory: every full text that the ledger names must be there (INV-2)."""

from collections.abc import Iterator

from companion.maintenance.doctor.findings import LISTED, damage, note
from companion.maintenance.results import Finding
from companion.storage.cold import cold_memory
from companion.storage.cold.cold_memory import Cold
from companion.storage.git.repo import Repo
from companion.storage.index.schema import open_for_reading
from companion.storage.index.tables.decay import ColdObject, list_cold_objects
from companion.values.progress import SILENT, Progress, count
from companion.workspace import Workspace

_REPAIR = "`companion doctor --repair` puts it back: git still has the bytes."
_ELSEWHERE = (
    "`companion remote sync` brings it where a remote has it; until then git's history"
    " serves."
)
_LOST = "Fetch refs/companion/cold from another copy: `companion remote sync`, or git fetch."


def examine_cold_memory(
    ws: Workspace, repo: Repo, *, progress: Progress = SILENT
) -> Iterator[Finding]:
    """Yield full texts that are not in cold memory, or cannot be read there.

    Raises DamagedRef or IndexDamaged.
    """
    known = _list_known(ws)
    lacking = []
    for text in count(progress, "checking texts of faded pages", known):
        if not _is_whole(repo, text):
            lacking.append(text)
    if known and cold_memory.find_tree(repo) is None:
        what = f"cold memory is not in this clone: {len(known)} full texts of pages that faded"
        yield note("cold-elsewhere", what, _ELSEWHERE)
        lacking = [text for text in lacking if not repo.has(text.blob)]
    for text in lacking[:LISTED]:
        what = f"cold memory lacks the full text of {text.path} ({text.id})"
        if repo.has(text.blob):
            yield damage("cold-lacks", what, _REPAIR)
        else:
            yield damage("cold-lost", what, _LOST)


def mend_cold_memory(ws: Workspace) -> str:
    """Put back into cold memory what it lacks and git still has; return a sentence on it.

    Raises DamagedRef, GitFailed, IndexDamaged, NotCold, TreeConflict or UnsafePath.
    """
    repo = Repo(ws.place)
    lacking = [text for text in _list_known(ws) if not _is_whole(repo, text)]
    restored = []
    for text in lacking:
        if repo.has(text.blob):
            cold = Cold(text.id, text.blob, text.entry, text.since, text.path)
            restored.append((cold, repo.blob(text.blob)))
    cold_memory.put(repo, restored)
    return (
        f"{len(restored)} of {len(lacking)} full texts are in cold memory again"
    )


def _list_known(ws: Workspace) -> list[ColdObject]:
    db = open_for_reading(ws.place.index_db)
    if db is None:
        return []
    return list_cold_objects(db)


def _is_whole(repo: Repo, text: ColdObject) -> bool:
    try:
        item, _ = cold_memory.get(repo, text.id)
    except (cold_memory.ColdLost, cold_memory.NotCold):
        return False
    return item.blob == text.blob and item.linkout
