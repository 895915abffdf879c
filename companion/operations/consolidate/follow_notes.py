"""When a note moves, the derived lines for it on other pages follow it there."""

import sqlite3

from companion.operations.consolidate.drafts.lines import link_elsewhere
from companion.pages.statements import read_mentions
from companion.runs.page_lines import make_grown_line
from companion.runs.run import Run
from companion.storage.index.history import list_subject_events
from companion.storage.index.tables.pages.entries import EntryRow, find_page
from companion.storage.index.tables.pages.statements import (
    list_mentioned_entries,
)
from companion.values.decisions import Write
from companion.values.events import LedgerLine


def list_linking_entries(db: sqlite3.Connection, capture: str) -> list[str]:
    """Return the entries whose pages may have a derived line for *capture*."""
    entries = set(list_mentioned_entries(db, capture))
    for event in list_subject_events(db, capture, "moved"):
        entries.add(event.data["from"])
    return sorted(entries)


def list_linking_pages(run: Run, capture: str, id: str) -> list[EntryRow]:
    """Return the managed pages that have a derived line for the statement *id* of *capture*."""
    found = []
    for entry in list_linking_entries(run.db, capture):
        row = find_page(run.db, entry)
        if row is None or not row.managed:
            continue
        lines = read_mentions(run.repo.text(row.blob, exact=True))
        if any(line.id == id for line in lines):
            found.append(row)
    return found


def follow_note(
    run: Run, row: EntryRow, id: str, path: str, reason: str
) -> tuple[LedgerLine, Write]:
    """Return what is written on the page *row*: its lines for the statement *id* link *path*."""
    text = run.repo.text(row.blob, exact=True)
    name = path.rpartition("/")[2].removesuffix(".md")
    content = link_elsewhere(text, id, name).encode("utf-8", "surrogateescape")
    grown = make_grown_line(row.id, row.path, content, reason)
    return grown, Write(row.path, content)
