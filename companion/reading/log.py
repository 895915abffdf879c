"""`log`: what each run did, and the story of one page."""

import sqlite3
from typing import TYPE_CHECKING

from companion.lookup.find import NothingFound, find_target
from companion.lookup.index import current_index, stale_warning
from companion.reading.entry.page_story import describe_story
from companion.storage.index import history
from companion.storage.index.history import LedgerRun
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.reading.results import LogResult, PageStory, RunResult

#: what each event is called, of one and of several; in the order of the summary
_WORDS = {
    "created": ("page made", "pages made"),
    "grown": ("page grown", "pages grown"),
    "consumed": ("capture", "captures"),
    "moved": ("note moved", "notes moved"),
    "merged": ("page merged", "pages merged"),
    "sighted": ("told again", "told again"),
    "registered": ("new", "new"),
    "edited": ("edited", "edited"),
    "renamed": ("renamed", "renamed"),
    "deleted": ("deleted", "deleted"),
    "contextualized": ("source read", "sources read"),
    "unread": ("source that cannot be read", "sources that cannot be read"),
    "passed_over": ("file passed over", "files passed over"),
    "containers": ("container taken apart", "containers taken apart"),
    "locked": ("source kept back", "sources kept back"),
    "released": ("source decided on", "sources decided on"),
    "waits": ("waiting", "waiting"),
    "aliased": ("name taken over", "names taken over"),
    "rejected": ("note taken back", "notes taken back"),
    "expired": ("note expired", "notes expired"),
    "branched": ("branch opened", "branches opened"),
    "joined": ("into branches", "into branches"),
    "promoted": ("branch won", "branches won"),
    "statement": ("statement changed", "statements changed"),
    "audited": ("audited", "audited"),
    "inconclusive": ("inconclusive", "inconclusive"),
    "settled": ("settled", "settled"),
    "closed": ("branch closed", "branches closed"),
    "protected": ("protected", "protected"),
    "unprotected": ("no longer protected", "no longer protected"),
}


def list_runs(ws: Workspace, *, limit: int = 20) -> "LogResult":
    """Return the newest runs, the newest first."""
    db = current_index(ws, ws.journal())
    runs = [] if db is None else history.list_runs(db, limit)
    summaries = [] if db is None else _with_commits(ws, db, runs)
    log: LogResult = {"runs": summaries}
    warning = stale_warning(ws, db)
    if warning is not None:
        log["warning"] = warning
    return log


def tell_story(ws: Workspace, target: str) -> "PageStory":
    """Return what happened to the page that *target* names, oldest first.

    Raises NothingFound or Ambiguous.
    """
    journal = ws.journal()
    db = current_index(ws, journal)
    found = find_target(ws, db, journal, target)
    if db is None or found.kind != "entry":
        raise NothingFound(
            f"{target!r} is no page",
            hint="`companion why` tells what became of a note.",
        )
    story = describe_story(ws, db, found.id)
    warning = stale_warning(ws, db)
    if warning is not None:
        story["warning"] = warning
    return story


def _with_commits(
    ws: Workspace, db: sqlite3.Connection, runs: list[LedgerRun]
) -> "list[RunResult]":
    if not runs:
        return []
    from companion.runs.commits import find_commits, find_makers  # brings git

    commits = find_commits(ws.place)
    makers = find_makers(ws.place)
    summaries: list[RunResult] = []
    for each in runs:
        pages = history.list_pages_of_run(db, each.run)
        summary: RunResult = {
            "run": each.run,
            "operation": each.operation,
            "time": each.time,
            "commit": commits.get(each.run),
            "counts": each.counts,
            "summary": _summary(each.counts),
            "pages": [page._asdict() for page in pages],
        }
        if each.run in makers:
            summary["by"] = makers[each.run].words
        summaries.append(summary)
    return summaries


def _summary(counts: dict[str, int]) -> str:
    parts = []
    for event, (one, several) in _WORDS.items():
        if event in counts:
            words = one if counts[event] == 1 else several
            parts.append(f"{counts[event]} {words}")
    return ", ".join(parts)
