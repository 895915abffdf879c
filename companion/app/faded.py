"""What reads say of forgetting: five terms, pins, compressed and archived pages. On the hot path of `show`."""

import sqlite3
from typing import Any

from companion.app import vitality
from companion.core import links
from companion.store import fading

_ARCHIVED = (
    "SELECT id, title, superseded_by FROM entries WHERE tombstone AND (title = ?1 COLLATE NOCASE "
    "OR path = ?2 || '.md' COLLATE NOCASE OR path LIKE '%/' || ?2 || '.md') LIMIT 1"
)


def of_entry(db: sqlite3.Connection, entry: str, now: str) -> dict[str, Any]:
    """Return what `show` says of how an entry fades."""
    terms = vitality.of_entry(db, entry, now)
    origin = fading.original_of(db, entry)
    stored = None if origin is None else {"cold": origin.id, "since": origin.since, "distortion": origin.distortion}
    total = None if terms is None else terms["total"]
    return {"vitality": total, "terms": terms, "pinned": entry in fading.pinned(db), "full_text": stored}


def archived(db: sqlite3.Connection, unresolved: list[str]) -> list[dict[str, Any]]:
    """Return those link targets that name an archived entry: not broken, with what took its place if anything did."""
    found = []
    for target in unresolved:
        row = db.execute(_ARCHIVED, (target, links.key(target).removesuffix(".md"))).fetchone()
        if row is not None:
            found.append({"target": target, "entry": row[0], "title": row[1], "superseded_by": row[2]})
    return found


def summary(db: sqlite3.Connection | None) -> dict[str, int] | None:
    """Return how many pages are compressed and pinned, and how much is in cold memory; None before the first run."""
    if db is None:
        return None
    counts = (
        "SELECT (SELECT count(*) FROM pages WHERE original IS NOT NULL), (SELECT count(*) FROM pages WHERE pinned), "
        "(SELECT count(*) FROM cold)"
    )
    return dict(zip(("compressed", "pinned", "cold"), db.execute(counts).fetchone(), strict=True))
