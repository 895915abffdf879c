"""Read a capture back as it was given, and the runs that hold captures."""

import sqlite3

from companion.annotations import TYPE_CHECKING
from companion.storage.git import layout
from companion.storage.journal.journal import Journal
from companion.values.captures import Capture, Sighting, as_told
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.runs.lost_runs import LostRun


def read_capture(
    ws: Workspace, journal: Journal, id: str
) -> tuple[Capture, tuple[Sighting, ...]]:
    """Return a capture with its bytes, and its tellings, as far as the reader may know of them."""
    capture = journal.capture(id)[0]
    tellings = journal.sightings(id, who=ws.who)
    if not capture.content:
        from companion.storage.git.repo import Repo

        capture = capture._replace(content=Repo(ws.place).blob(capture.blob))
    if tellings:
        capture = as_told(capture, tellings[0])
    return capture, tellings


def find_held(
    ws: Workspace, db: sqlite3.Connection | None, journal: Journal
) -> "dict[str, LostRun]":
    """Return the captures that are held, each with the run that left the branch.

    Raises BadLedger, DamagedRef or NewerLedger.
    """
    if not layout.read_refs(ws.place, "refs/companion/lost"):
        return {}
    # They bring git: most wikis never lost a run.
    from companion.runs import lost_runs
    from companion.storage.git.repo import Repo

    return lost_runs.find_held_captures(Repo(ws.place), db, journal)
