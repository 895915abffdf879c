"""`drop`: take back what was told of a note that no night has read yet, and tell it again.

Both only add to the journal and to git's buffer: the bytes stay, and every machine that hears of it
comes to the same.
"""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.errors import CompanionError
from companion.language.headline import headline
from companion.lookup.find import find_target
from companion.lookup.index import current_index
from companion.reading.captures import read_capture
from companion.storage.files import lock
from companion.storage.git import capture_buffer
from companion.storage.git.repo import Repo
from companion.storage.index.tables.captures import find_outcome
from companion.storage.journal.journal import TRUSTED, Journal
from companion.values.captures import OWNER, WITHDRAWN, Scope, Sighting
from companion.values.time import moment
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.maintenance.results import DropResult


class NotWaiting(CompanionError):
    """Only a note that waits for the night can be dropped."""

    exit_code = 1


class NotYours(CompanionError):
    """Others told this note."""

    exit_code = 1
    hint = "An assistant drops what it told itself; the rest is yours to drop."


def drop(ws: Workspace, target: str, *, dry_run: bool = False) -> "DropResult":
    """Take back every telling of the note *target* that the reader may take back.

    Nothing shows the note from then on, unless somebody else told it, too; the next night records
    that it was rejected. Raises NotWaiting, NotYours, NothingFound, Ambiguous or Busy.
    """

    journal = ws.journal()
    id = _find_waiting(ws, journal, target)

    def take_back(at: str) -> None:
        tellings = list_withdrawals(ws, journal, id, at)
        if not tellings:
            raise NotYours(f"others told the note {id[:12]}")
        journal.withdraw(tellings)

    if journal.is_withdrawn(id):
        return _describe(ws, journal, id, dropped=True, dry_run=dry_run)
    record(ws, journal, take_back, dry_run=dry_run)
    return _describe(ws, journal, id, dropped=True, dry_run=dry_run)


def bring_back(
    ws: Workspace, capture: str, *, dry_run: bool = False
) -> "DropResult":
    """Tell the dropped note *capture* again as it was told, so that it waits for the night.

    Raises NotWaiting or Busy.
    """

    journal = ws.journal()

    def tell_again(at: str) -> None:
        for telling in journal.sightings(capture, who=ws.who):
            again = telling._replace(seen_at=at)
            journal.add(journal.capture(capture)[0], again)

    if not journal.is_withdrawn(capture):
        raise NotWaiting(
            f"the note {capture[:12]} was not dropped",
            hint="`companion why` tells what became of it.",
        )
    record(ws, journal, tell_again, dry_run=dry_run)
    return _describe(ws, journal, capture, dropped=False, dry_run=dry_run)


def find_dropped(ws: Workspace, target: str) -> str | None:
    """Return the dropped note whose id begins with *target*; None where there is none."""
    is_id = all(char in "0123456789abcdef" for char in target)
    if len(target) < 4 or not is_id:
        return None
    journal = ws.journal()
    found = journal.capture(target, who=ws.who)
    if len(found) != 1 or not journal.is_withdrawn(found[0].id):
        return None
    return found[0].id


def find_last_dropped(ws: Workspace) -> tuple[str, str] | None:
    """Return (capture, when) of what the reader dropped last; None where there is nothing."""
    return ws.journal().find_last_withdrawn(ws.who)


def _find_waiting(ws: Workspace, journal: Journal, target: str) -> str:
    db = current_index(ws, journal)
    found = find_target(ws, db, journal, target, words=True)
    if found.kind != "capture":
        raise NotWaiting(
            f"{target!r} is a page, no waiting note",
            hint="Take out of the page what you like: `companion edit`; "
            "`companion erase` forgets words for good.",
        )
    outcome = None if db is None else find_outcome(db, found.id)
    if outcome is not None:
        raise NotWaiting(
            f"a night has read the note {found.id[:12]} already",
            hint="`companion why` names the run, and `companion undo RUN` takes it back.",
        )
    return found.id


def list_withdrawals(
    ws: Workspace, journal: Journal, id: str, at: str
) -> list[Sighting]:
    """Return what takes back at the time *at* all that the reader may take back of a note."""
    scopes: set[Scope] = set()
    for telling in journal.sightings(id):
        is_owners = ws.who == OWNER and telling.scope == "shared"
        if telling.owner == ws.who or is_owners:
            scopes.add(telling.scope)
    agent = None if ws.who == OWNER else ws.who
    return [
        Sighting(id, at, at, False, None, WITHDRAWN, agent, scope)
        for scope in sorted(scopes)
    ]


def record(
    ws: Workspace,
    journal: Journal,
    change: Callable[[str], None],
    *,
    dry_run: bool,
) -> None:
    """Let *change* add to the journal at the time it is given, and git take it in; no night may
    read meanwhile.

    Raises Busy.
    """
    path = os.path.join(ws.place.state, "sleep.lock")
    with lock.lock_file(path, "drop"):
        last = journal.begin()
        try:
            at = moment(ws.now(), last, journal.get(TRUSTED)).transaction
            change(at)
            if dry_run:
                journal.rollback()
                return
            journal.commit(at)
        except BaseException:
            journal.rollback()
            raise
        capture_buffer.anchor(journal, Repo(ws.place))


def _describe(
    ws: Workspace, journal: Journal, id: str, *, dropped: bool, dry_run: bool
) -> "DropResult":
    capture, _ = read_capture(ws, journal, id)
    text = capture.content.decode("utf-8", "replace")
    return {
        "capture": id,
        "title": capture.title or headline(text),
        "dropped": dropped,
        "dry_run": dry_run,
    }
