"""When a person, or an assistant for them, last used the wiki, and what came in since a night.

Nothing is written for this: tellings and reads are on record anyway.
"""

import os
from collections.abc import Collection

from companion import json_text
from companion.errors import MALFORMED
from companion.storage.git.layout import Place
from companion.storage.journal import reads_file
from companion.storage.journal.journal import Journal
from companion.tuples import NamedTuple


class Interaction(NamedTuple):
    """One use of the wiki."""

    at: str  # RFC 3339 UTC
    utc_offset: int | None  # of the teller, in minutes; None: UTC, or unknown
    capture: str | None  # that was told; None: a read


class Backlog(NamedTuple):
    """The captures that no night has looked at."""

    captures: int
    oldest: str | None  # when the first of them came in
    newest: int  # the journal's number of the last capture of all


def list_interactions(
    place: Place, journal: Journal, since: str
) -> list[Interaction]:
    """Return the tellings and reads after the instant *since*, in no order."""
    query = """
        SELECT seen_at, utc_offset, capture
        FROM sightings
        WHERE seen_at > ?
        """
    rows = journal.connection.execute(query, (since,))
    found = [Interaction(*row) for row in rows]
    for at in [*_list_reads(journal, since), *_list_lines(place)]:
        if at > since:
            found.append(Interaction(at, None, None))
    return found


def find_newest_interaction(place: Place, journal: Journal) -> str | None:
    """Return when the wiki was last used; None where it never was."""
    tellings = journal.connection.execute(
        "SELECT seen_at FROM sightings ORDER BY seq DESC LIMIT 20"
    ).fetchall()
    times = [at for (at,) in tellings]
    times += _list_newest_read(journal)
    times += _list_lines(place)
    return max(times, default=None)


def count_backlog(
    journal: Journal, waiting: Collection[str], seen: int
) -> Backlog:
    """Return the open captures that are not *waiting*, and came after the capture numbered *seen*.

    What was told only in private waits for no night.
    """
    query = """
        SELECT id, ingested_at
        FROM captures c
        WHERE settled = 0
          AND seq > ?
          AND EXISTS (
            SELECT 1
            FROM sightings s
            WHERE s.capture = c.id AND s.scope <> 'private'
          )
        """
    times = [
        at
        for id, at in journal.connection.execute(query, (seen,))
        if id not in waiting
    ]
    (newest,) = journal.connection.execute(
        "SELECT coalesce(max(seq), 0) FROM captures"
    ).fetchone()
    return Backlog(len(times), min(times, default=None), newest)


def _list_reads(journal: Journal, since: str) -> list[str]:
    if not _has_uses(journal):
        return []
    query = "SELECT at FROM uses WHERE at > ?"
    return [at for (at,) in journal.connection.execute(query, (since,))]


def _list_newest_read(journal: Journal) -> list[str]:
    if not _has_uses(journal):
        return []
    query = "SELECT at FROM uses ORDER BY seq DESC LIMIT 1"
    return [at for (at,) in journal.connection.execute(query)]


def _has_uses(journal: Journal) -> bool:
    query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'uses'"
    return journal.connection.execute(query).fetchone() is not None


def _list_lines(place: Place) -> list[str]:
    """Return the times of the reads that no night has taken into the journal."""
    path = os.path.join(place.state, reads_file.NAME)
    try:
        with open(path, "rb") as file:
            lines = file.read().splitlines()
    except FileNotFoundError:
        return []
    times = []
    for line in filter(None, lines):
        try:
            times.append(str(json_text.loads(line)[1]))
        except (*MALFORMED, IndexError):
            continue  # a full disk cut it short; a night leaves it out, too
    return times
