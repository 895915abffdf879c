"""Open the index for a read, and say which run it answers as of.

A read never waits for a night: where the index cannot be brought up to date at once, the read
answers as of an earlier run and says so. On the hot path of a search.
"""

import os
import sqlite3

from companion.storage.git import layout
from companion.storage.index.schema import (
    find_newest_run,
    open_for_reading,
    read_meta,
)
from companion.storage.journal.journal import Journal
from companion.workspace import Workspace


def current_index(ws: Workspace, journal: Journal) -> sqlite3.Connection | None:
    """Open the index, brought up to the tip of the branch where that needs no waiting.

    Return None where there is none. Where the tip cannot be read, `ws.warning` says why.
    """
    db = open_for_reading(ws.place.index_db)
    if not _is_behind(ws, db) and journal.get("intent") is None:
        return db
    if not _bring_up(ws, db):
        return db
    if db is not None:
        db.close()
    return open_for_reading(ws.place.index_db)


def find_commit(db: sqlite3.Connection | None) -> str | None:
    """Return the commit that the index is of at this moment, None where it is of none."""
    if db is None:
        return None
    return read_meta(db, "commit")


def newest_run(db: sqlite3.Connection | None) -> str | None:
    """Return the newest run that the index knows, None before the first."""
    if db is None:
        return None
    return find_newest_run(db)


def stale_warning(ws: Workspace, db: sqlite3.Connection | None) -> str | None:
    """Return why this read may be out of date, None where it is not."""
    if not ws.warning:
        return None
    since = newest_run(db) or "an earlier commit"
    return f"Results may be out of date (they are as of {since}): {ws.warning}"


def _is_behind(ws: Workspace, db: sqlite3.Connection | None) -> bool:
    if db is None:
        return True
    branch = read_meta(db, "branch") or "HEAD"
    return read_meta(db, "commit") != layout.read_ref(ws.place, branch)


def _bring_up(ws: Workspace, db: sqlite3.Connection | None) -> bool:
    """Fold what is new; return whether there is another index to open now."""
    from companion.storage.files import lock

    sleep_lock = os.path.join(ws.place.state, "sleep.lock")
    if db is not None and lock.is_held(sleep_lock):
        # A night is at work, and folds what it publishes. Loading git to learn the same would cost
        # each search of that time more than the search.
        return False
    from companion.runs.catch_up import (
        UNREADABLE,
        catch_up,
        fold_newest_readable,
    )

    try:
        return catch_up(ws)
    except UNREADABLE as error:
        # What was folded before still stands: one bad file must not take the wiki away.
        has_index = db is not None and read_meta(db, "rules") is not None
        folded = not has_index and fold_newest_readable(ws)
        if not has_index and not folded:
            raise
        ws.warning = str(error)
        return folded
