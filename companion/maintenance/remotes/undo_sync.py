"""`remote undo`: take back the notes that the last sync brought, as far as no night has read them.

A note is taken back as by `drop`: its bytes stay, every machine that hears of it comes to the same,
and `undo` tells it again.
"""

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from companion.language.headline import headline
from companion.lookup.index import current_index
from companion.maintenance import withdraw
from companion.maintenance.remotes.remote import choose
from companion.maintenance.take_in import came_key
from companion.reading.captures import read_capture
from companion.storage.index.tables.captures import find_outcome
from companion.storage.journal.journal import Journal
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.maintenance.results import CameBack, SyncUndoResult


class _Came(NamedTuple):
    """What became of the notes that a sync brought."""

    waiting: list[str]
    read: Counter[str]  # by the run that read them
    told_since: int


def undo_sync(
    ws: Workspace, name: str | None = None, *, dry_run: bool = False
) -> "SyncUndoResult":
    """Take back what the last sync that brought notes from the remote *name* brought.

    What a night has read stays, and its run is named; so does what was told again since. Raises
    NoSuchRemote or Busy.
    """
    remote = choose(ws, name)
    journal = ws.journal()
    came = _sort(ws, journal, came_key(remote.name))
    taken = [_describe(ws, journal, id) for id in came.waiting]

    def take_back(at: str) -> None:
        for id in came.waiting:
            journal.withdraw(withdraw.list_withdrawals(ws, journal, id, at))

    if came.waiting:
        withdraw.record(ws, journal, take_back, dry_run=dry_run)
    return {
        "taken_back": taken,
        "read": [
            {"run": run, "captures": count} for run, count in came.read.items()
        ],
        "told_since": came.told_since,
        "remote": remote.name,
        "dry_run": dry_run,
    }


def _sort(ws: Workspace, journal: Journal, key: str) -> _Came:
    db = current_index(ws, journal)
    ids, at = journal.list_came(key)
    waiting = []
    read: Counter[str] = Counter()
    told_since = 0
    for id in ids:
        outcome = None if db is None else find_outcome(db, id)
        if outcome is not None:
            read[outcome.run] += 1
        elif journal.is_withdrawn(id):
            continue
        elif any(one.seen_at > at for one in journal.sightings(id)):
            told_since += 1
        else:
            waiting.append(id)
    return _Came(waiting, read, told_since)


def _describe(ws: Workspace, journal: Journal, id: str) -> "CameBack":
    capture, _ = read_capture(ws, journal, id)
    text = capture.content.decode("utf-8", "replace")
    return {"capture": id, "title": capture.title or headline(text)}
