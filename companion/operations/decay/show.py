"""What reads say of forgetting: five terms, pins, compressed and archived pages. On the hot path of
`show`.
"""

import sqlite3
from typing import Any

from companion.operations.decay import measure as vitality
from companion.pages import links
from companion.storage.index.tables import decay as fading

_GONE = (
    "SELECT e.id, e.title, e.path, e.superseded_by FROM gone_names n JOIN entries e ON e.id = n.entry AND e.tombstone "
    "WHERE n.key IN (?, ?) ORDER BY e.since DESC, e.id"
)


def of_entry(db: sqlite3.Connection, entry: str, now: str) -> dict[str, Any]:
    """Return what `show` says of how an entry fades."""
    terms = vitality.of_entry(db, entry, now)
    origin = fading.original_of(db, entry)
    stored = (
        None
        if origin is None
        else {"cold": origin.id, "since": origin.since, "distortion": origin.distortion}
    )
    total = None if terms is None else terms["total"]
    return {
        "vitality": total,
        "terms": terms,
        "pinned": entry in fading.pinned(db),
        "full_text": stored,
    }


def archived(db: sqlite3.Connection, page: str, unresolved: list[str]) -> list[dict[str, Any]]:
    """Return those link targets of *page* that name an archived entry: not broken, with what took
    its place if anything did. They are read as links are: by their paths, else by their titles; of
    several the one archived last.
    """
    found = []
    for target in unresolved:
        title = links.title_key(target)
        rows = db.execute(_GONE, (links.key(target), title)).fetchall()
        path = links.choose(target, page, [row[2] for row in rows])
        same = [row for row in rows if row[2] == path] or [
            row for row in rows if links.title_key(row[1]) == title
        ]
        if same:
            id, name, _, successor = same[0]
            found.append({"target": target, "entry": id, "title": name, "superseded_by": successor})
    return found


def summary(db: sqlite3.Connection | None) -> dict[str, int] | None:
    """Return how many pages are compressed and pinned, and how much is in cold memory; None before
    the first run.
    """
    if db is None:
        return None
    counts = (
        "SELECT (SELECT count(*) FROM pages WHERE original IS NOT NULL), (SELECT count(*) FROM pages WHERE pinned), "
        "(SELECT count(*) FROM cold)"
    )
    return dict(zip(("compressed", "pinned", "cold"), db.execute(counts).fetchone(), strict=True))
