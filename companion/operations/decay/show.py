"""Describe for reads what is forgotten: the five terms, pins, compressed and archived pages.

`show` imports this on every call: nothing heavy is imported here.
"""

import sqlite3
from collections.abc import Sequence

from companion.annotations import TYPE_CHECKING
from companion.operations.decay.measure import entry_vitality
from companion.pages import links
from companion.storage.index.tables.decay import find_original, list_pinned
from companion.storage.index.tables.pages.entries import list_gone_named

if TYPE_CHECKING:
    from companion.operations.decay.results import (
        ArchivedLink,
        EntryVitality,
        FullText,
    )


def decay_document(
    db: sqlite3.Connection, entry: str, now: str
) -> "EntryVitality":
    """Return what `show` says of the vitality, the pin and the full text of an entry."""
    terms = entry_vitality(db, entry, now)
    original = find_original(db, entry)
    full_text: FullText | None = None
    if original is not None:
        full_text = {
            "cold": original.id,
            "since": original.since,
            "distortion": original.distortion,
        }
    return {
        "vitality": None if terms is None else terms["total"],
        "terms": terms,
        "pinned": entry in list_pinned(db),
        "full_text": full_text,
    }


def links_to_archived(
    db: sqlite3.Connection, page: str, unresolved: Sequence[str]
) -> "list[ArchivedLink]":
    """Return those link targets of *page* that name an archived entry, with its successor if any.

    Such links are not broken. A target is read as links are: by its path, else by its title; of
    several entries the one archived last.
    """
    found: list[ArchivedLink] = []
    for target in unresolved:
        title = links.title_key(target)
        gone = list_gone_named(db, links.key(target), title)
        path = links.choose(target, page, [row.path for row in gone])
        matches = [row for row in gone if row.path == path]
        if not matches:
            matches = [
                row for row in gone if links.title_key(row.title) == title
            ]
        if matches:
            row = matches[0]
            found.append(
                {
                    "target": target,
                    "entry": row.id,
                    "title": row.title,
                    "superseded_by": row.superseded_by,
                }
            )
    return found
