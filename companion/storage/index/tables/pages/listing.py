"""Pages in the index as `list` shows them: those that changed last first."""

import json
import sqlite3
from collections.abc import Iterator

from companion.storage.index.tables.pages.entries import EntryState
from companion.tuples import NamedTuple
from companion.values.time import LATEST

_LISTED = """
    SELECT e.id, e.title, e.path, e.state, e.quarantined, e.blob, k.since,
      k.touched
    FROM entries e
    JOIN known k ON k.id = e.id
    WHERE e.state IN (SELECT value FROM json_each(:states))
      AND (e.state = 'archived' OR NOT e.tombstone)
      AND k.touched >= :since
      AND k.touched < :before
      {0}
    ORDER BY k.touched DESC, e.path
    """
# no page of the wiki links to it, and it links to none
_ORPHAN = """
    AND NOT EXISTS (
      SELECT 1 FROM edges x
      WHERE x.source = e.id AND x.type IN ('link', 'embed')
    )
    AND NOT EXISTS (
      SELECT 1 FROM edges x
      WHERE x.target = e.id AND x.type IN ('link', 'embed')
    )
    """
_LINKED = """
    AND EXISTS (
      SELECT 1 FROM edges x
      WHERE x.source = e.id AND x.target = :linked_to
        AND x.type IN ('link', 'embed')
    )
    """


class ListedPage(NamedTuple):
    """A page as a list shows it."""

    id: str
    title: str
    path: str
    state: EntryState
    quarantined: bool
    blob: str
    created: str  # RFC 3339 UTC
    changed: str


def list_pages(
    db: sqlite3.Connection,
    states: list[str],
    *,
    since: str = "",
    before: str = LATEST,
    orphan: bool = False,
    linked_to: str | None = None,
) -> Iterator[ListedPage]:
    """Yield the pages in one of *states* that changed from *since* on and before *before*, the
    newest first.

    With *orphan* only those without a link from or to another page, with *linked_to* only those
    with a link to that entry.
    """
    tests = _ORPHAN if orphan else ""
    if linked_to is not None:
        tests += _LINKED
    names = {
        "states": json.dumps(states),
        "since": since,
        "before": before,
        "linked_to": linked_to,
    }
    for row in db.execute(_LISTED.format(tests), names):
        page = ListedPage(*row)
        yield page._replace(quarantined=bool(page.quarantined))
