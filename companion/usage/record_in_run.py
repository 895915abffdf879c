"""Use on its way into the ledger: it rides in the next run that happens anyway, or in one of its
own after a week.

Here it is decided what of a read everybody who has the wiki may know. Counts always; words only
where they gave nobody away: not where a private telling was shown, not where the reader used a word
that only private tellings have, and not where they hold a secret, or what was erased.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from companion.runs.publication import COMPANION
from companion.runs.run import Run, run_inputs
from companion.storage import ledger_file
from companion.storage.index import terms
from companion.storage.index.tables.captures import find_entry_of_capture
from companion.storage.index.tables.entries import find_entry
from companion.storage.index.tables.pages import has_term
from companion.storage.index.tables.use import list_query_ids
from companion.storage.journal import reads as taken
from companion.storage.journal.reads import Row, Use
from companion.usage import attribution, record_read
from companion.usage.attribution import Read
from companion.values.time import format_instant
from companion.values.wording import many

WEEK = timedelta(days=7)
KEPT = timedelta(days=30)  # how long a read that a run has is kept here, for what comes of it later
MOST_ENTRIES = 300  # that one run tells of: the reads after those ride in the next one
MOST_QUESTIONS = 50  # that one run tells of


class UseRecords(NamedTuple):
    """What the next run takes with it."""

    lines: list[dict[str, Any]]
    mark: dict[str, Any]  # for the run's first line: the last use that it has (CON-2)
    due: bool  # the oldest has waited for a week

    @property
    def entries(self) -> int:
        return sum(line["e"] == "used" for line in self.lines)

    @property
    def alone(self) -> list[dict[str, Any]]:
        """The lines that are worth a run of their own."""
        return self.lines if self.due else []


def gather_uses(tonight: Run) -> UseRecords:
    """Return the use that no run has yet, as the next one is to tell it."""
    now, journal = tonight.present(), tonight.journal
    record_read.collect_reads(tonight.ws, journal)
    taken.forget(journal, _before(now, KEPT))
    found = taken.rows(journal, _before(now, KEPT))
    waiting = [row for row in found if not row.folded]
    if not waiting:
        return UseRecords([], {}, False)
    reads = list(_Reader(tonight).reads(found))
    new = _fitting([read for row, read in zip(found, reads, strict=True) if not row.folded])
    earlier = [read for row, read in zip(found, reads, strict=True) if row.folded]
    evidence = attribution.attribute(new, earlier)
    known = list_query_ids(tonight.db)
    lines = attribution.use_events(evidence, known, now=tonight.moment(), most=MOST_QUESTIONS)
    due = min(row.use.at for row in waiting) <= _before(now, WEEK)
    return UseRecords(lines, {"upto": new[-1].id, "uses": len(new)}, due)


def record_uses(tonight: Run) -> None:
    """Take what was read on record in a run of its own, for an operation that decides by it."""
    used = gather_uses(tonight)
    if not used.lines:
        return
    inputs = {**run_inputs(tonight, {}, {"use": attribution.VERSION}), "usage": used.mark}
    run = ledger_file.make("use", tonight.moment(), inputs, used.lines)
    asked = sum(line["e"] == "asked" for line in used.lines)
    subject = f"use: {many(used.entries, 'entry')} read, {many(asked, 'question')} asked"
    tonight.publish(
        run, [], subject, "What was asked is what an audit asks again.", author=COMPANION
    )
    tonight.refold()


def _fitting(new: Sequence[Read]) -> list[Read]:
    """Return as many reads, the oldest first, as one run may tell of; at least one."""
    entries: set[str] = set()
    for place, read in enumerate(new):
        entries.update(read.shown)
        if place and len(entries) > MOST_ENTRIES:
            return list(new[:place])
    return list(new)


class _Reader:
    """Uses as the ledger may know them."""

    def __init__(self, tonight: Run) -> None:
        self.tonight, self.entries = tonight, dict[str, str | None]()
        self._private: set[str] | None = None

    def reads(self, rows: Sequence[Row]) -> Iterator[Read]:
        for row in rows:
            use = row.use
            shown = tuple(dict.fromkeys(filter(None, map(self._entry, use.shown))))
            quiet = use.verb in attribution.QUERIES and (
                any(map(self._is_private, use.shown)) or self._betrays(use)
            )
            yield Read(
                use.id, _plain(use.at), use.agent, use.verb, use.words, shown, use.about, quiet
            )

    def _entry(self, id: str) -> str | None:
        """Return the entry that *id* is, or that the capture *id* went into."""
        if id not in self.entries:
            is_entry = find_entry(self.tonight.db, id) is not None
            self.entries[id] = id if is_entry else find_entry_of_capture(self.tonight.db, id)
        return self.entries[id]

    def _is_private(self, id: str) -> bool:
        tellings = self.tonight.journal.sightings(id)
        return bool(tellings) and all(each.scope == "private" for each in tellings)

    def _betrays(self, use: Use) -> bool:
        """Tell whether words of *use* stand in private tellings and nowhere else."""
        if self._private is None:
            self._private = self._told_in_private()
        return any(
            not self._is_shared(word) for word in set(terms.words(use.words)) & self._private
        )

    def _is_shared(self, word: str) -> bool:
        return has_term(self.tonight.db, word)

    def _told_in_private(self) -> set[str]:
        journal, found = self.tonight.journal, set[str]()
        if not journal.has_private():
            return found
        contents = self.tonight.contents()
        gone = self.tonight.lost()
        for capture in journal.private_captures():
            held = journal.capture(capture)[0]
            text = "" if capture in gone else contents[capture].decode("utf-8", "replace")
            found.update(terms.words(f"{held.title or ''} {text}"))
        return found


def _plain(at: str) -> str:
    """Return an instant that a line of a file gives; what is none happened once, nobody knows
    when.
    """
    try:
        return format_instant(datetime.fromisoformat(at))
    except ValueError:
        return "1970-01-01T00:00:00.000000Z"


def _before(now: str, span: timedelta) -> str:
    return format_instant(datetime.fromisoformat(now) - span)
