"""The blocks of day pages: found by a word, by the page that they concern, each page read once."""

from typing import NamedTuple

from companion.comparison.pending import (
    Move,
    TitledPage,
)
from companion.language.names.name_forms import without_umlaut
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
from companion.storage.index.tables.pages.words import (
    DayPage,
    list_day_pages,
    list_docs_matching,
)
from companion.subjects.beginnings.spots import find_spots
from companion.subjects.gathering import Block
from companion.values.time import local_day, local_moment

# earlier notes that move to a page that begins, the newest ones
MOST = 50
# of these, those that are looked at for each thing that may begin one
LOOKED = 24


class _Written(NamedTuple):
    """A block as it stands on its page, before it is known whether anybody asks for it."""

    placed: PlacedStatement
    words: str
    bare: str  # in which words are looked for: folded, without umlauts, as keys are
    subjects: tuple[str, ...]  # of its claims
    plain: str  # both


class DayPages:
    """The blocks of day pages, each page read once."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pages: dict[str, list[_Written]] = {}
        self._blocks: dict[str, Block] = {}
        self._days: dict[int, DayPage] | None = None

    def find(self, key: str, most: int = MOST) -> list[Block]:
        """Return the newest blocks that name *key*, at most *most*."""
        found: list[_Written] = []
        bare = without_umlaut(key)
        for page in self._list_pages(make_phrase(key), most):
            for written in self._read(*page):
                if _has_words(written.bare, bare) or self._names(written, key):
                    found.append(written)
        found.sort(key=lambda one: (one.placed.told_at, one.placed.capture))
        return [self._make_block(written) for written in found[-most:]]

    def list_matching(self, phrase: str) -> list[Block]:
        """Return the blocks of the newest days that have *phrase* (full-text syntax)."""
        found: list[Block] = []
        for page in self._list_pages(phrase, MOST):
            for written in self._read(*page):
                found.append(self._make_block(written))
        return found

    def list_of_page(self, page: TitledPage) -> dict[str, Block]:
        """Return the blocks of the day *page*, by capture."""
        written = self._read(page.id, page.path, page.blob or "")
        return {one.placed.capture: self._make_block(one) for one in written}

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
            for written in self._read(placed.entry, placed.path, placed.blob):
                if written.placed.capture == capture:
                    found.append(self._make_block(written))
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

    def _list_pages(self, phrase: str, most: int) -> list[DayPage]:
        """Return the newest pages of days that have *phrase*, at most *most*.

        A word may stand on thousands of pages that are none of days: only their places are read.
        """
        if self._days is None:
            self._days = list_day_pages(self._run.db)
        docs = set(list_docs_matching(self._run.db, phrase))
        days = self._days.items()
        return [page for doc, page in days if doc in docs][:most]

    def _names(self, written: _Written, key: str) -> bool:
        """Tell whether the subject of a claim of a block is *key*: its words may lack it."""
        if not written.subjects:
            return False
        # a key's words are those of a text without their endings
        if not _has_words(written.plain, without_umlaut(key)):
            return False
        spots = self._make_block(written).spots
        return any(spot.key == key for spot in spots)

    def _read(self, entry: str, path: str, blob: str) -> list[_Written]:
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
            own = tuple(subjects.get(placed.capture, ()))
            told = words[placed.id]
            folded = links.fold(blank_markup(told)).replace("\u2019", "'")
            bare = without_umlaut(folded)
            subjects_of = " ".join(map(links.fold, own)).replace("\u2019", "'")
            plain = f"{bare} {without_umlaut(subjects_of)}"
            blocks.append(_Written(placed, told, bare, own, plain))
        self._pages[path] = blocks
        return blocks

    def _make_block(self, written: _Written) -> Block:
        placed = written.placed
        if placed.capture not in self._blocks:
            tellings = list_tellings(self._run.db, placed.capture)
            offset = tellings[0].get("utc_offset") if tellings else None
            self._blocks[placed.capture] = Block(
                placed,
                written.words,
                local_day(placed.told_at, offset),
                local_moment(placed.told_at, offset),
                find_spots(written.words, written.subjects),
            )
        return self._blocks[placed.capture]

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


def make_phrase(key: str) -> str:
    """Return full-text syntax for pages that have every word of *key*, with any ending."""
    words = [word.replace('"', "") for word in key.split()]
    return " ".join(f'"{word}"*' for word in words)


def _has_words(bare: str, key: str) -> bool:
    return all(word in bare for word in key.split())
