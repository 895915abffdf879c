"""Write use into the ledger: with the next run that happens anyway, or in a run of its own after a
week.

Everybody who has the wiki can read the ledger. So counts are always recorded, and words only where
they reveal nothing private: not where a private note was shown, not where the query has a word that
only private notes have, and not where the words hold a secret or something that was erased.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import NamedTuple

from companion.runs.run import Run
from companion.storage import ledger_file
from companion.storage.index import terms
from companion.storage.index.folding import fold
from companion.storage.index.tables.captures import find_entry_of_capture
from companion.storage.index.tables.pages.entries import find_entry
from companion.storage.index.tables.pages.words import has_term
from companion.storage.index.tables.use import list_query_ids
from companion.storage.journal import reads
from companion.storage.journal.reads import Row, Use
from companion.usage.attribution import (
    QUERIES,
    Read,
    attribute,
    use_events,
)
from companion.usage.record_read import collect_reads
from companion.values.events import LedgerLine
from companion.values.time import format_instant

WEEK = timedelta(days=7)
# Recorded reads stay in the journal for so long: openings and feedback may still refer to them.
KEPT = timedelta(days=30)
MOST_ENTRIES = 300  # in one run; later reads wait for the next one
MOST_QUESTIONS = 50  # in one run
#: begins what stands for words that stayed on another machine
HIDDEN = "\0"


class UseRecords(NamedTuple):
    """The use that the next run records."""

    lines: list[LedgerLine]
    # for the run's first line: the last use that it records (CON-2)
    mark: LedgerLine
    due: bool  # the oldest use has waited for a week

    @property
    def entries(self) -> int:
        """The number of entries that were used."""
        return sum(line["e"] == "used" for line in self.lines)

    @property
    def alone(self) -> list[LedgerLine]:
        """The lines that justify a run of their own: all of them once they are due."""
        return self.lines if self.due else []


def gather_uses(run: Run) -> UseRecords:
    """Return the use that no run has recorded yet, and forget reads older than `KEPT`."""
    rows = collect_rows(run)
    waiting = [row for row in rows if not row.folded]
    if not waiting:
        return UseRecords([], {}, False)
    new: list[Read] = []
    earlier: list[Read] = []
    for row, read in zip(rows, UseReader(run).reads(rows), strict=True):
        recorded = earlier if row.folded else new
        recorded.append(read)
    new = _limit_entries(new)
    evidence = attribute(new, earlier)
    known = list_query_ids(run.db)
    lines = use_events(evidence, known, now=run.moment(), most=MOST_QUESTIONS)
    oldest_waiting = min(row.use.at for row in waiting)
    due = oldest_waiting <= _instant_before(run.present(), WEEK)
    return UseRecords(lines, {"upto": new[-1].id, "uses": len(new)}, due)


def collect_rows(run: Run) -> list[Row]:
    """Return the use that no run has recorded yet, and what runs have since `KEPT`; forget what is
    older.
    """
    collect_reads(run.ws, run.journal)
    oldest_kept = _instant_before(run.present(), KEPT)
    reads.forget_reads(run.journal, oldest_kept)
    return reads.list_rows(run.journal, oldest_kept)


@contextmanager
def as_if_recorded(run: Run, used: UseRecords) -> Iterator[None]:
    """Let the index of *run* say in the block what it will say once *used* is recorded.

    For an operation that decides by the use that it records itself. Others wait with their writes
    meanwhile, so that the block must be short.
    """
    if not used.lines:
        yield
        return
    record = ledger_file.make_run("use", run.moment(), {}, used.lines)
    with fold.trial(run.db, record):
        yield


def _limit_entries(new: Sequence[Read]) -> list[Read]:
    """Return the oldest reads that together name at most `MOST_ENTRIES`; at least one read."""
    entries: set[str] = set()
    for place, read in enumerate(new):
        entries.update(read.shown)
        if place and len(entries) > MOST_ENTRIES:
            return list(new[:place])
    return list(new)


class UseReader:
    """Turn uses of the journal into reads that the ledger may record."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.entries: dict[str, str | None] = {}
        self._private_words: set[str] | None = None

    def reads(self, rows: Sequence[Row]) -> Iterator[Read]:
        """Yield a read for each row, in the same order."""
        for row in rows:
            use = row.use
            entries = [self._entry(id) for id in use.shown]
            shown = tuple(dict.fromkeys(entry for entry in entries if entry))
            yield Read(
                use.id,
                _plain_instant(use.at),
                use.agent,
                use.verb,
                use.words,
                shown,
                use.about,
                quiet=self.is_quiet(use),
            )

    def _entry(self, id: str) -> str | None:
        """Return the entry that *id* is, or that the capture *id* went into."""
        if id not in self.entries:
            is_entry = find_entry(self.run.db, id) is not None
            self.entries[id] = (
                id if is_entry else find_entry_of_capture(self.run.db, id)
            )
        return self.entries[id]

    def is_quiet(self, use: Use) -> bool:
        """Tell whether *use* is a query whose words must stay on this machine."""
        if use.verb not in QUERIES:
            return False
        if use.words.startswith(HIDDEN):
            return True
        return any(
            self.is_private(id) for id in use.shown
        ) or self._has_private_word(use)

    def is_private(self, id: str) -> bool:
        """Tell whether *id* is a capture that was told in private only."""
        sightings = self.run.journal.sightings(id)
        return bool(sightings) and all(
            each.scope == "private" for each in sightings
        )

    def _has_private_word(self, use: Use) -> bool:
        """Tell whether *use* has a word that only private notes have."""
        if self._private_words is None:
            self._private_words = self._read_private_words()
        private = set(terms.split_words(use.words)) & self._private_words
        return any(not has_term(self.run.db, word) for word in private)

    def _read_private_words(self) -> set[str]:
        """Return every word of the private captures; of a lost capture, those of its title."""
        journal = self.run.journal
        words: set[str] = set()
        if not journal.has_private():
            return words
        contents = self.run.contents()
        lost = self.run.lost()
        for capture in journal.private_captures():
            held = journal.capture(capture)[0]
            text = ""
            if capture not in lost:
                text = contents[capture].decode("utf-8", "replace")
            words.update(terms.split_words(f"{held.title or ''} {text}"))
        return words


def _plain_instant(at: str) -> str:
    """Return *at* in the ledger's format, or the start of 1970 where it is no instant."""
    try:
        return format_instant(datetime.fromisoformat(at))
    except ValueError:
        return "1970-01-01T00:00:00.000000Z"


def _instant_before(now: str, span: timedelta) -> str:
    return format_instant(datetime.fromisoformat(now) - span)
