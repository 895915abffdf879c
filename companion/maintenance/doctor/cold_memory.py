"""Cold memory examined and mended: every full text that the ledger tells of must be there
(INV-2).
"""

from collections.abc import Iterator

from companion.maintenance.doctor.checks import finding
from companion.maintenance.results import Finding
from companion.storage.git import cold_memory
from companion.storage.git.cold_memory import Cold
from companion.storage.git.repo import Repo
from companion.storage.index.schema import open_for_reading
from companion.storage.index.tables import decay as fading
from companion.storage.index.tables.decay import ColdObject
from companion.workspace import Workspace

_LISTED = 20
_ELSEWHERE = "`companion remote sync` brings it where a remote has it; until then git's history serves."
_LOST = "Fetch refs/companion/cold from another copy: `companion remote sync`, or git fetch."


def examine(ws: Workspace, repo: Repo) -> Iterator[Finding]:
    """Look for full texts that are not in cold memory, and for objects that cannot be read."""
    db = open_for_reading(ws.place.index_db)
    told = [] if db is None else fading.list_cold_objects(db)
    lacking = [each for each in told if not _is_whole(repo, each)]
    if told and cold_memory.find_tree(repo) is None:
        what = f"cold memory is not in this clone: {len(told)} full texts of pages that faded"
        yield finding("cold-elsewhere", "note", what, _ELSEWHERE)
        lacking = [each for each in lacking if not repo.has(each.blob)]
    for each in lacking[:_LISTED]:
        kind, hint = (
            ("cold-lacks", _REPAIR)
            if repo.has(each.blob)
            else ("cold-lost", _LOST)
        )
        yield finding(
            kind,
            "damage",
            f"cold memory lacks the full text of {each.path} ({each.id})",
            hint,
        )


def mend(ws: Workspace) -> str:
    """Put back into cold memory what it lacks and git still has."""
    repo, db = Repo(ws.place), open_for_reading(ws.place.index_db)
    lacking = [
        each
        for each in (fading.list_cold_objects(db) if db is not None else [])
        if not _is_whole(repo, each)
    ]
    found = [
        (_object(each), repo.blob(each.blob))
        for each in lacking
        if repo.has(each.blob)
    ]
    cold_memory.put(repo, found)
    return f"{len(found)} of {len(lacking)} full texts are in cold memory again"


_REPAIR = "`companion doctor --repair` puts it back: git still has the bytes."


def _is_whole(repo: Repo, each: ColdObject) -> bool:
    try:
        item, _ = cold_memory.get(repo, each.id)
    except (cold_memory.ColdLost, cold_memory.NotCold):
        return False
    return item.blob == each.blob and item.linkout


def _object(each: ColdObject) -> Cold:
    return Cold(each.id, each.blob, each.entry, each.since, each.path)
