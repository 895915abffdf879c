"""Read a capture back as it was given, and the runs that hold captures."""

import sqlite3
from collections.abc import Sequence

from companion.annotations import TYPE_CHECKING
from companion.storage.git import layout
from companion.storage.journal.journal import Journal
from companion.values.captures import Capture, Sighting, as_told
from companion.values.wording import list_words
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


def describe_devices(ws: Workspace, tellings: Sequence[Sighting]) -> str:
    """Return the names of the devices that a capture was told on, as far as they have some.

    Behind each stands the person whose runs come from it, where that is one.
    """
    devices = sorted({one.device for one in tellings if one.device is not None})
    if not devices:
        return ""
    from companion.runs.commits import find_makers  # brings git

    makers = set(find_makers(ws.place).values())
    named = []
    for device in devices:
        persons = {one.person for one in makers if one.device == device}
        behind = f" ({persons.pop()})" if len(persons) == 1 else ""
        named.append(f"{device}{behind}")
    return list_words(named)


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
