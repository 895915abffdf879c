"""Pages of one subject that two machines wrote: what a merge of git may have lost or doubled."""

import json
import sqlite3
from collections.abc import Iterable
from typing import NamedTuple

_GATHERS = """
    EXISTS (
      SELECT 1
      FROM subjects g
      WHERE g.entry = e.id AND g.kind IN ('day', 'subject')
    )
    """
_HOLDS = "e.managed AND NOT e.tombstone AND e.state = 'active'"
#: pages without the block of a note that stands on them
_INCOMPLETE = f"""
    SELECT DISTINCT e.id
    FROM subjects g
    JOIN entries e ON e.id = g.entry
    JOIN consumed c ON c.entry = e.id AND c.outcome = 'consolidated'
    WHERE g.kind IN ('day', 'subject') AND {_HOLDS}
      AND NOT EXISTS (
        SELECT 1
        FROM statements s
        WHERE s.page = e.path AND s.id = substr(c.capture, 1, 12)
      )
    """
#: pages that hold something else than the last run left there
_DIFFERENT = f"""
    SELECT e.id
    FROM entries e
    JOIN known k ON k.id = e.id AND NOT k.deleted AND k.blob <> e.blob
    WHERE {_HOLDS}
      AND NOT EXISTS (
        SELECT 1
        FROM subjects g
        WHERE g.entry = e.id AND g.kind NOT IN ('day', 'subject')
      )
    """
_DOUBLED = """
    doubled AS (
      SELECT marker
      FROM pages
      WHERE marker IS NOT NULL
      GROUP BY marker
      HAVING count(*) > 1
    )
    """
#: every page that bears the id of an entry whose page is another, whoever made it
_OF_ONE_ID = f"""
    WITH {_DOUBLED}
    SELECT e.path, p.path
    FROM doubled d
    JOIN entries e ON e.id = d.marker AND NOT e.tombstone
    JOIN pages p ON p.marker = e.id AND p.path <> e.path
    WHERE p.branch IS NULL AND NOT p.excluded
    ORDER BY 1, 2
    """
#: second pages of an entry: a run made each of them for it
_COPIES = f"""
    WITH {_DOUBLED}
    SELECT e.id, c.id, c.path, c.title, p.blob
    FROM doubled d
    JOIN entries e ON e.id = d.marker AND {_HOLDS}
    JOIN pages p ON p.marker = e.id AND p.path <> e.path AND p.branch IS NULL
    JOIN entries c ON c.path = p.path AND NOT c.tombstone
    WHERE EXISTS (
        SELECT 1
        FROM events v
        WHERE v.entry = e.id AND v.event = 'created'
          AND json_extract(v.data, '$.path') = p.path
      )
    ORDER BY 1, 3
    """
#: pages that are gone from where a run left them, and the merges that took them out there
_TAKEN = f"""
    SELECT k.id, t.run
    FROM entries e
    CROSS JOIN known k ON k.id = e.id AND NOT k.deleted
    CROSS JOIN transitions t ON t.by = e.id AND NOT t.undone
    CROSS JOIN events m ON m.entry = t.entry AND m.run = t.run AND m.event = 'merged'
      AND json_extract(m.data, '$.path') = k.path
    WHERE e.tombstone AND {_GATHERS}
      AND NOT EXISTS (SELECT 1 FROM pages p WHERE p.path = k.path)
    ORDER BY 1, 2
    """
#: paths that may be those of conflict copies; `pages.names.conflict_names` reads them
_LIKELY_COPIES = """
    SELECT path
    FROM pages
    WHERE branch IS NULL AND NOT excluded
      AND (
        path LIKE '%conflict%'
        OR path LIKE '%konflikt%'
        OR path LIKE '%conflit%'
        OR path GLOB '* [2-9].md'
        OR path GLOB '*([1-9]).md'
      )
    ORDER BY path
    """


class SecondPage(NamedTuple):
    """A page that another machine began for the same day, subject or note, at another path."""

    of: str  # the entry whose id it has, too
    entry: str
    path: str
    title: str
    blob: str


def list_doubtful_pages(db: sqlite3.Connection) -> list[str]:
    """Return the entries of days and subjects that lack a note, and those of days, subjects and
    notes that differ from what was written.
    """
    found = {entry for (entry,) in db.execute(_INCOMPLETE)}
    found.update(entry for (entry,) in db.execute(_DIFFERENT))
    return sorted(found)


def list_second_pages(db: sqlite3.Connection) -> list[SecondPage]:
    """Return the second pages of entries, by entry and path."""
    return [SecondPage(*row) for row in db.execute(_COPIES)]


def list_pages_of_one_id(db: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return each page that bears the id of an entry, beside the page that is the entry."""
    return [(first, second) for first, second in db.execute(_OF_ONE_ID)]


def list_taken_pages(db: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return the entries whose page a merge took out where it last was, each with that run."""
    return [(entry, run) for entry, run in db.execute(_TAKEN)]


def list_likely_copies(db: sqlite3.Connection) -> list[str]:
    """Return the paths whose names may be those of conflict copies."""
    return [path for (path,) in db.execute(_LIKELY_COPIES)]


def list_inputs(
    db: sqlite3.Connection, runs: Iterable[str]
) -> dict[str, str | None]:
    """Return the tree that each of *runs* was planned from."""
    query = """
        SELECT run, json_extract(input, '$.base')
        FROM runs
        WHERE run IN (SELECT value FROM json_each(?))
        """
    return dict(db.execute(query, (json.dumps(sorted(runs)),)).fetchall())


def list_bases_since(
    db: sqlite3.Connection, time: str, *, but: str
) -> list[str | None]:
    """Return the trees from which the runs since *time* were planned, *but* those of a kind."""
    query = """
        SELECT DISTINCT json_extract(input, '$.base')
        FROM runs
        WHERE time >= ? AND operation <> ?
        """
    return [base for (base,) in db.execute(query, (time, but))]
