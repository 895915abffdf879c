"""Pages of many notes for tests: each note a statement with its block id, and the run that says
so.
"""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

from companion.operations.consolidate.rules import CONSOLIDATE_RULES
from companion.pages import ids
from companion.pages.statement_edits import add_statement, retire_statement
from companion.runs.publication import COMPANION
from companion.runs.run import make_inputs, open_run
from companion.storage import ledger_file
from companion.storage.git.objects import hash_blob
from companion.values.decisions import Write
from companion.values.events import LedgerLine
from tests.wiki import Wiki


class Note(NamedTuple):
    """A note that stands on a page."""

    words: str
    day: str  # on which it was told

    @property
    def capture(self) -> str:
        """The id of its capture."""
        return hashlib.sha256(self.words.encode()).hexdigest()

    @property
    def told_at(self) -> str:
        """When it was told."""
        return f"{self.day}T09:14:00.000000Z"


class PageOfMany(NamedTuple):
    """A page on which notes stand."""

    entry: str
    path: str
    title: str


def gather(
    wiki: Wiki,
    title: str,
    notes: Sequence[Note],
    *,
    lost: Sequence[Note] = (),
    opening: str = "",
) -> PageOfMany:
    """Publish the page of *title* with *notes* as its statements, or let it grow by them.

    Those of *lost* stand under "Earlier". The ledger has every note as consumed.
    """
    entry = ids.subject_id("subject", title)
    path = f"entries/{title.lower()}.md"
    before = (wiki.root / path).exists()
    text = f"---\nid: {entry}\ntype: subject\ntitle: {title}\n---\n{opening}"
    if before:
        text = wiki.read(path)
    for note in notes:
        statement = note.capture[:12]
        text = add_statement(text, statement, f"{note.day} 09:14", note.words)
        if note in lost:
            text = retire_statement(
                text, statement, "2026-10-01", "", "another took its place"
            )
    page: LedgerLine = {
        "e": "grown" if before else "created",
        "entry": entry,
        "path": path,
        "blob": hash_blob(text.encode()),
        "bucket": "high",
        "quarantined": 0,
        "reason": "Gathered.",
    }
    wiki.tick()
    consumed = [_consumed_line(note, entry) for note in notes]
    publish(wiki, [page, *consumed], [Write(path, text.encode())])
    return PageOfMany(entry, path, title)


def publish(
    wiki: Wiki, lines: Sequence[LedgerLine], writes: Sequence[Write] = ()
) -> None:
    """Publish a run with *lines* and *writes*."""
    with open_run(wiki.ws, "test") as run:
        inputs = make_inputs(run, {}, CONSOLIDATE_RULES)
        record = ledger_file.make_run(
            "consolidate", run.moment(), inputs, lines
        )
        run.publish(record, writes, "consolidate: gather", "", author=COMPANION)
        run.refold()


def _consumed_line(note: Note, entry: str) -> LedgerLine:
    telling = {
        "seen_at": note.told_at,
        "event_time": note.told_at,
        "channel": "cli",
        "scope": "shared",
    }
    return {
        "e": "consumed",
        "capture": note.capture,
        "outcome": "consolidated",
        "entry": entry,
        "sightings": [telling],
        "reason": "Gathered.",
    }
