"""What reads say of forgetting: the five terms, pins, compressed and archived pages.

`show` imports this on every call: nothing heavy is imported here.
"""

import sqlite3
from collections.abc import Sequence

from companion.operations.decay.measure import entry_vitality
from companion.pages import links
from companion.storage.index.tables import decay as decay_table
from companion.values.events import JsonDocument

_GONE = (
    "SELECT e.id, e.title, e.path, e.superseded_by FROM gone_names n "
    "JOIN entries e ON e.id = n.entry AND e.tombstone "
    "WHERE n.key IN (?, ?) ORDER BY e.since DESC, e.id"
)


def decay_document(db: sqlite3.Connection, entry: str, now: str) -> JsonDocument:
    """Return what `show` says of the vitality, the pin and the full text of an entry."""
    terms = entry_vitality(db, entry, now)
    original = decay_table.original_of(db, entry)
    full_text = None
    if original is not None:
        full_text = {
            "cold": original.id,
            "since": original.since,
            "distortion": original.distortion,
        }
    return {
        "vitality": None if terms is None else terms["total"],
        "terms": terms,
        "pinned": entry in decay_table.pinned(db),
        "full_text": full_text,
    }


def links_to_archived(
    db: sqlite3.Connection, page: str, unresolved: Sequence[str]
) -> list[JsonDocument]:
    """Return those link targets of *page* that name an archived entry, with its successor if any.

    Such links are not broken. A target is read as links are: by its path, else by its title; of
    several entries the one archived last.
    """
    found = []
    for target in unresolved:
        title = links.title_key(target)
        rows = db.execute(_GONE, (links.key(target), title)).fetchall()
        path = links.choose(target, page, [row[2] for row in rows])
        matches = [row for row in rows if row[2] == path]
        if not matches:
            matches = [row for row in rows if links.title_key(row[1]) == title]
        if matches:
            id, name, _, successor = matches[0]
            found.append({"target": target, "entry": id, "title": name, "superseded_by": successor})
    return found


def count_decayed(db: sqlite3.Connection | None) -> dict[str, int] | None:
    """Return how many pages are compressed and pinned, and how many objects are in cold memory.

    None before the first run.
    """
    if db is None:
        return None
    counts = (
        "SELECT (SELECT count(*) FROM pages WHERE original IS NOT NULL), "
        "(SELECT count(*) FROM pages WHERE pinned), (SELECT count(*) FROM cold)"
    )
    compressed, pinned, cold = db.execute(counts).fetchone()
    return {"compressed": compressed, "pinned": pinned, "cold": cold}
