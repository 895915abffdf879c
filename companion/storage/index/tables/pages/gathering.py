"""Pages of one note, as versions before statements made them: what gathering starts from."""

import json
import sqlite3
from collections.abc import Iterable
from typing import NamedTuple

#: pages of one plain note that nobody but companion ever wrote on, and that nothing depends on
_OF_ONE_NOTE = """
    SELECT c.capture, e.id, e.path, e.blob, e.title, coalesce(c.told_at, '')
    FROM {source}
    JOIN entries e ON e.id = c.entry
    JOIN known k ON k.id = e.id
    JOIN pages p ON p.path = e.path
    WHERE c.outcome = 'consolidated'
      AND e.managed AND NOT e.tombstone AND NOT e.quarantined
      AND e.state = 'active' AND e.superseded_by IS NULL
      AND NOT e.gravity_protected
      AND NOT p.pinned AND p.original IS NULL AND p.branch IS NULL
      AND NOT k.deleted AND k.path = e.path AND k.blob = e.blob
      AND NOT EXISTS (SELECT 1 FROM subjects s WHERE s.entry = e.id)
      AND NOT EXISTS (
        SELECT 1 FROM statements s WHERE s.page = e.path
      )
      AND NOT EXISTS (
        SELECT 1
        FROM consumed o
        WHERE o.entry = e.id AND o.capture <> c.capture
      )
      AND EXISTS (
        SELECT 1 FROM events v WHERE v.entry = e.id AND v.event = 'created'
      )
      AND NOT EXISTS (
        SELECT 1
        FROM events v
        JOIN runs r ON r.run = v.run AND r.operation <> 'undo'
        WHERE v.entry = e.id
          AND v.event IN (
            'registered', 'edited', 'renamed', 'promoted', 'compressed',
            'restored'
          )
      )
      AND NOT EXISTS (
        SELECT 1
        FROM branches b
        WHERE b.state = 'open' AND b.incumbent = e.id
      )
      AND NOT EXISTS (
        SELECT 1
        FROM branch_members m
        JOIN branches b ON b.name = m.branch AND b.state = 'open'
        WHERE NOT m.undone AND (m.entry = e.id OR m.capture = c.capture)
      )
      AND NOT EXISTS (
        SELECT 1
        FROM audits a
        WHERE a.entry = e.id AND a.settled IS NULL AND NOT a.undone
      )
    ORDER BY 6, 1
    """
#: pages of companion's that a person changed or wants to keep, or that something depends on
_KEPT = """
    SELECT e.id
    FROM json_each(?) j
    JOIN entries e ON e.id = j.value
    JOIN pages p ON p.path = e.path
    WHERE e.managed
      AND (
        e.gravity_protected OR p.pinned
        OR EXISTS (
          SELECT 1
          FROM branches b
          WHERE b.state = 'open' AND b.incumbent = e.id
        )
        OR EXISTS (
          SELECT 1
          FROM events v
          JOIN runs r ON r.run = v.run AND r.operation <> 'undo'
          WHERE v.entry = e.id
            AND v.event IN ('registered', 'edited', 'renamed')
        )
      )
    ORDER BY 1
    """
_LINKING = """
    SELECT l.page, l.kind, p.managed AND p.branch IS NULL
    FROM links l
    JOIN pages p ON p.path = l.page
    WHERE l.to_path = ?1 OR l.base_key = ?2
    ORDER BY 1, 2
    """


class PageOfOneNote(NamedTuple):
    """A page that companion made of one note without a title of its own, and left so."""

    capture: str
    entry: str
    path: str
    blob: str
    title: str
    told_at: str  # event time of the first telling (RFC 3339 UTC)


class LinkingPage(NamedTuple):
    """A page that links another one."""

    path: str
    kind: str  # of the link: "mention" in a derived line
    managed: bool  # companion writes it, in the wiki itself


def list_captures_of_one_note(
    db: sqlite3.Connection,
) -> list[tuple[str, str]]:
    """Return (capture, entry) of all pages of one note, in the order in which they were told."""
    query = _OF_ONE_NOTE.format(source="consumed c")
    return [(row[0], row[1]) for row in db.execute(query)]


def list_pages_of_one_note(
    db: sqlite3.Connection, captures: Iterable[str]
) -> list[PageOfOneNote]:
    """Return the pages of one note that those of *captures* made, in the order of telling."""
    source = "json_each(?) j CROSS JOIN consumed c ON c.capture = j.value"
    query = _OF_ONE_NOTE.format(source=source)
    rows = db.execute(query, (json.dumps(list(captures)),))
    return [PageOfOneNote(*row) for row in rows]


def list_kept_entries(
    db: sqlite3.Connection, entries: Iterable[str]
) -> set[str]:
    """Return those of *entries* whose pages companion writes and gathering must leave alone."""
    rows = db.execute(_KEPT, (json.dumps(sorted(entries)),))
    return {entry for (entry,) in rows}


def list_linking_pages(
    db: sqlite3.Connection, path: str, base_key: str
) -> list[LinkingPage]:
    """Return the pages with a link to the page at *path*, or to its file name, by path."""
    rows = db.execute(_LINKING, (path, base_key)).fetchall()
    return [LinkingPage(page, kind, bool(own)) for page, kind, own in rows]
