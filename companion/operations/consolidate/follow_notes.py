"""When a note moves, the derived lines for it on other pages follow it there."""

from companion.pages.statements import Mention, put_mentions, read_mentions
from companion.runs.run import Run
from companion.storage.git import objects
from companion.storage.index.history import list_subject_events
from companion.storage.index.tables.entries import EntryRow, find_page
from companion.storage.index.tables.statements import list_mentioned_entries
from companion.values.decisions import Write
from companion.values.events import LedgerLine


def list_linking_pages(run: Run, capture: str, id: str) -> list[EntryRow]:
    """Return the managed pages that have a derived line for the statement *id* of *capture*."""
    entries = set(list_mentioned_entries(run.db, capture))
    for event in list_subject_events(run.db, capture, "moved"):
        entries.add(event.data["from"])
    found = []
    for entry in sorted(entries):
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
    lines = [
        Mention(line.when, name, id, line.words)
        for line in read_mentions(text)
        if line.id == id
    ]
    content = put_mentions(text, lines, {id}).encode("utf-8", "surrogateescape")
    grown: LedgerLine = {
        "e": "grown",
        "entry": row.id,
        "path": row.path,
        "blob": objects.hash_blob(content),
        "reason": reason,
    }
    return grown, Write(row.path, content)
