"""The blocks of day pages: found by a word, by the page that they concern, each page read once."""

from collections.abc import Iterable, Mapping

from companion.comparison.pending import (
    Move,
    TitledPage,
)
from companion.language.sentences import blank_markup
from companion.pages import links
from companion.pages.statements import (
    find_statement,
    read_statements,
    statement_id,
)
from companion.runs.run import Run
from companion.storage.index.history import (
    list_entry_events_of_run,
    list_subject_events,
)
from companion.storage.index.tables.captures import list_tellings
from companion.storage.index.tables.claims import list_claims_of_entry
from companion.storage.index.tables.pages.statements import (
    PlacedStatement,
    find_statement_of_capture,
    find_subject,
    list_captures_mentioning,
    list_statements_at,
)
from companion.storage.index.tables.pages.words import list_day_pages_matching
from companion.subjects.beginnings.spots import find_spots
from companion.subjects.gathering import Block
from companion.values.time import local_day, local_moment

# earlier notes that are looked at for each thing
MOST = 50


class DayPages:
    """The blocks of day pages, each page read once."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pages: dict[str, list[Block]] = {}
        self._written: dict[str, Mapping[str, str]] = {}

    def find(self, key: str) -> list[Block]:
        """Return the newest blocks that name *key*, at most `MOST`."""
        found: list[Block] = []
        pages = list_day_pages_matching(self._run.db, _phrase(key), MOST)
        for entry, path, blob in pages:
            for block in self._read(entry, path, blob):
                named = any(spot.key == key for spot in block.spots)
                if named or _has_words(block.words, key):
                    found.append(block)
        found.sort(key=lambda one: (one.placed.told_at, one.placed.capture))
        return found[-MOST:]

    def list_matching(self, phrase: str) -> list[Block]:
        """Return the blocks of the newest days that have *phrase* (full-text syntax)."""
        found: list[Block] = []
        pages = list_day_pages_matching(self._run.db, phrase, MOST)
        for entry, path, blob in pages:
            found += self._read(entry, path, blob)
        return found

    def list_mentioning(self, entry: str) -> list[Block]:
        """Return the newest blocks of days that concern *entry*, at most `MOST`."""
        found = []
        captures = list_captures_mentioning(self._run.db, entry)
        for capture in captures:
            placed = find_statement_of_capture(self._run.db, capture)
            if placed is None:
                continue
            subject = find_subject(self._run.db, placed.entry)
            if subject is None or subject.kind != "day":
                continue
            for block in self._read(placed.entry, placed.path, placed.blob):
                if block.placed.capture == capture:
                    found.append(block)
        found.sort(key=lambda one: (one.placed.told_at, one.placed.capture))
        return found[-MOST:]

    def make_move(self, block: Block, entry: str) -> Move:
        """Return how *block* gets to the page of *entry*."""
        placed = block.placed
        source = TitledPage(
            placed.entry, placed.path, placed.blob, True, placed.title
        )
        edited = self._find_written(placed.capture) != block.words
        return Move(
            placed.capture,
            block.words,
            block.when,
            placed.told_at,
            source,
            entry,
            edited,
        )

    def _read(self, entry: str, path: str, blob: str) -> list[Block]:
        if path in self._pages:
            return self._pages[path]
        text = self._run.repo.text(blob, exact=True)
        words = {one.id: one.words for one in read_statements(text)}
        subjects: dict[str, list[str]] = {}
        for claim in list_claims_of_entry(self._run.db, entry):
            subjects.setdefault(claim.capture, []).append(claim.subject)
        blocks = []
        for placed in list_statements_at(self._run.db, path):
            holds = placed.outcome == "consolidated" and not placed.earlier
            if not holds or placed.state != "active" or placed.id not in words:
                continue
            own = subjects.get(placed.capture, ())
            blocks.append(self._make_block(placed, words[placed.id], own))
        self._pages[path] = blocks
        return blocks

    def _make_block(
        self, placed: PlacedStatement, words: str, subjects: Iterable[str]
    ) -> Block:
        tellings = list_tellings(self._run.db, placed.capture)
        offset = tellings[0].get("utc_offset") if tellings else None
        spots = find_spots(words, subjects)
        day = local_day(placed.told_at, offset)
        when = local_moment(placed.told_at, offset)
        return Block(placed, words, day, when, spots)

    def _find_written(self, capture: str) -> str | None:
        """Return the words of *capture* as companion wrote them; None where that is not known."""
        db = self._run.db
        placed = list_subject_events(db, capture, "consumed")
        # gathered: it stood on a page of its own
        placed += list_subject_events(db, capture, "moved")
        if not placed:
            return None
        first = placed[-1]
        entry = first.entry or ""
        for event in list_entry_events_of_run(db, entry, first.run):
            if event.event not in ("created", "grown"):
                continue
            blob = event.data["blob"]
            if self._run.repo.has(blob):
                text = self._run.repo.text(blob, exact=True)
                found = find_statement(text, statement_id(capture))
                return None if found is None else found.words
        return None


def _phrase(key: str) -> str:
    """Return full-text syntax for pages that have every word of *key*, with any ending."""
    words = [word.replace('"', "") for word in key.split()]
    return " ".join(f'"{word}"*' for word in words)


def _has_words(text: str, key: str) -> bool:
    folded = links.fold(blank_markup(text))
    return all(word in folded for word in key.split())
