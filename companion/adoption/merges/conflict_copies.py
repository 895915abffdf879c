"""Take in the copies that a synchronised folder keeps where two devices changed one page.

A copy is a page of its own until a run brings it together with the page it was made of: the lines
of both stay, the copy goes. The copy was committed before, and `undo` gives both back. What it adds
is the person's own word, as an edit is.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from companion.adoption.plan import measure_similarity
from companion.adoption.rules import ADOPT_RULES
from companion.ledger.facts.corrections import read_corrections
from companion.pages.frontmatter import read_front
from companion.pages.merge_sides import merge_sides
from companion.pages.names.conflict_names import read_conflict_name
from companion.runs.publication import COMPANION
from companion.runs.run import Run, make_inputs
from companion.storage import ledger_file
from companion.storage.git.command import run_git
from companion.storage.index.history import list_entry_events
from companion.storage.index.tables.pages.entries import (
    EntryRow,
    find_entry_at,
)
from companion.storage.index.tables.pages.merged_pages import list_likely_copies
from companion.values.decisions import Write
from companion.values.events import LedgerLine
from companion.values.wording import many

VERSION = "copies-1"
_LATEST = 20  # earlier texts of a page of which a copy may have been made
_WITH_TEXT = ["created", "grown", "edited", "renamed", "registered"]


class _Taken(NamedTuple):
    """A copy, and the text of the page that it goes into."""

    copy: EntryRow
    original: EntryRow
    text: str


def take_in_copies(run: Run) -> None:
    """Bring pages and their conflict copies together, as one run, and fold it."""
    taken = _leave_blocked(run, list(_list_taken(run)))
    if not taken:
        return
    writes: list[Write] = []
    edits: list[LedgerLine] = []
    for one in taken:
        content = one.text.encode("utf-8", "surrogateescape")
        writes.append(Write(one.copy.path, None))
        writes.append(Write(one.original.path, content))
        edits.append(_make_edit(one, _store(run, content)))
    moment = run.moment()
    lines = [*edits, *map(_make_merged, taken)]
    lines += read_corrections(run, edits, moment)
    inputs = make_inputs(run, {}, {**ADOPT_RULES, "copies": VERSION})
    record = ledger_file.make_run("merge", moment, inputs, lines)
    paths = [one.copy.path for one in taken]
    subject = f"merge: {many(len(taken), 'page')} with conflict copies"
    run.publish(record, writes, subject, "\n".join(paths), author=COMPANION)
    run.refold()


def _list_taken(run: Run) -> Iterator[_Taken]:
    """Yield the first copy of each page; the others come with the next run."""
    seen = set()
    for path in list_likely_copies(run.db):
        name = read_conflict_name(path)
        if name is None or name.original in seen:
            continue
        copy = find_entry_at(run.db, path)
        original = find_entry_at(run.db, name.original)
        if copy is None or original is None:
            continue
        if not name.is_sure and not _is_surely_copy(run, copy, original):
            continue
        seen.add(name.original)
        text = _bring_together(run, copy, original)
        if text is not None:
            yield _Taken(copy, original, text)


def _is_surely_copy(run: Run, copy: EntryRow, original: EntryRow) -> bool:
    """Tell whether two pages have one content, or one id: people do not give it twice."""
    if copy.blob == original.blob:
        return True
    ids = [
        read_front(run.repo.text(row.blob)).meta.get("id")
        for row in (copy, original)
    ]
    return ids[0] is not None and ids[0] == ids[1]


def _bring_together(run: Run, copy: EntryRow, original: EntryRow) -> str | None:
    """Return the text of both; None where only the person can tell, who hears of it."""
    now = run.repo.text(original.blob, exact=True)
    other = run.repo.text(copy.blob, exact=True)
    merged = merge_sides(_find_base(run, original, other), now, other)
    if merged is None:
        run.notes.append(
            f"{copy.path} is a conflict copy of {original.path}, and both changed the same of its"
            " frontmatter; bring them together by hand"
        )
        return None
    return merged.text


def _find_base(run: Run, original: EntryRow, other: str) -> str:
    """Return the earlier text of the page that the copy is most like; "" where none is known."""
    events = list_entry_events(run.db, original.id, _WITH_TEXT)
    blobs = {event.data["blob"] for event in events[-_LATEST:]}
    blobs.discard(original.blob)
    content = other.encode("utf-8", "surrogateescape")
    best = (0.0, "")
    for blob in sorted(blobs):
        if run.repo.has(blob):
            share = measure_similarity(run.repo.blob(blob), content)
            best = max(best, (share, blob))
    return run.repo.text(best[1], exact=True) if best[1] else ""


def _leave_blocked(run: Run, taken: Sequence[_Taken]) -> list[_Taken]:
    """Return those of which the person has no newer text."""
    paths: list[str] = []
    for one in taken:
        paths += [one.copy.path, one.original.path]
    blocked = run.excluded_paths(paths)
    return [
        one
        for one in taken
        if blocked.keys().isdisjoint((one.copy.path, one.original.path))
    ]


def _store(run: Run, content: bytes) -> str:
    """Put *content* into git, where its words are read; return its blob."""
    words = ("hash-object", "-w", "--stdin")
    return run_git(run.ws.place, *words, stdin=content).decode().strip()


def _make_edit(one: _Taken, blob: str) -> LedgerLine:
    return {
        "e": "edited",
        "entry": one.original.id,
        "path": one.original.path,
        "blob": blob,
        "reason": f"edited on another device: it has what {one.copy.path} added",
    }


def _make_merged(one: _Taken) -> LedgerLine:
    return {
        "e": "merged",
        "entry": one.copy.id,
        "into": one.original.id,
        "path": one.copy.path,
        "title": one.copy.title,
        "reason": f"A conflict copy of a synced folder: it went into {one.original.path}.",
    }
