"""Find the pages that a capture may be compared with."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from companion.comparison.candidate_pairs import (
    PassageIndex,
    SideId,
    split_passages,
)
from companion.pages import links
from companion.pages.body import words_beside_statements, words_to_judge
from companion.pages.statements import name_statement, read_statements
from companion.runs.run import Run
from companion.storage.index.tables.captures import (
    list_captures_of_entry,
    list_event_times,
)
from companion.storage.index.tables.pages.entries import (
    find_comparable_blob,
    find_entry,
    find_page,
    list_comparable,
    list_comparable_pages,
)
from companion.storage.index.tables.pages.links import list_entries_linked
from companion.storage.index.tables.pages.statements import (
    list_speaking_statements,
    list_statements_of_entry,
)


class Page(NamedTuple):
    """A page as the other side of a comparison."""

    id: str
    path: str
    title: str
    blob: str
    told: str  # the newest telling that rests in it
    # the capture whose statement on it is meant; None: the page as a whole
    statement: str | None = None


class PageText(NamedTuple):
    """A page as captures are compared with it: by its statements, where it has several."""

    entry: str
    path: str
    title: str
    # by the capture of each statement that stands; under an empty one what stands beside them, or
    # the whole page
    passages: Mapping[str, list[str]]
    # what sentences call each statement
    names: Mapping[str, str]
    statements: PassageIndex | None  # None: the page is one text


class Passages(Mapping[str, list[str]]):
    """The passages of texts by their statements, each split when it is first asked for."""

    def __init__(self, texts: Mapping[str, Sequence[str]]) -> None:
        self._texts = texts
        self._split: dict[str, list[str]] = {}

    def __getitem__(self, statement: str) -> list[str]:
        """Return the passages of *statement*. Raises KeyError."""
        if statement not in self._split:
            passages: list[str] = []
            for text in self._texts[statement]:
                passages += split_passages(text)
            self._split[statement] = passages
        return self._split[statement]

    def __contains__(self, statement: object) -> bool:
        """Tell whether *statement* stands, without splitting it."""
        return statement in self._texts

    def __iter__(self) -> Iterator[str]:
        """Yield the statements."""
        return iter(self._texts)

    def __len__(self) -> int:
        """Return how many statements stand."""
        return len(self._texts)


class ComparablePages:
    """Pages that a capture may be compared with: active entries, not in quarantine.

    Each is looked up when it is asked for: those of a large wiki would cost a night more than what
    it takes in. Each is read and split once, however many captures are compared with it.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self._comparable: dict[str, bool] = {}
        self._texts: dict[str, PageText | None] = {}
        self._times: dict[SideId, str] = {}

    def has(self, side: SideId) -> bool:
        """Tell whether a capture may be compared with *side*."""
        entry = side.other
        if entry not in self._comparable:
            blob = find_comparable_blob(self._run.db, entry)
            self._comparable[entry] = blob is not None
        if not self._comparable[entry] or not side.statement:
            return self._comparable[entry]
        page = self.read(entry)
        return page is not None and side.statement in page.passages

    def read(self, entry: str) -> PageText | None:
        """Return the words of the page of *entry*; None if it has no page."""
        if entry not in self._texts:
            self._texts[entry] = _read_page(self._run, entry)
        return self._texts[entry]

    def find_time(self, side: SideId) -> str:
        """Return when *side* was told last (RFC 3339 UTC)."""
        if side not in self._times:
            self._times[side] = self._find_time(side)
        return self._times[side]

    def _find_time(self, side: SideId) -> str:
        db = self._run.db
        page = self.read(side.other)
        if side.statement:
            captures = [side.statement]
        elif page is None or page.statements is None:
            told = [page.told for page in list_pages(self._run, [side.other])]
            return max(told, default="")
        else:
            captures = _list_captures_beside(self._run, side.other)
        times: list[str] = []
        for capture in captures:
            times += list_event_times(db, capture)
        if times:
            return max(times)
        row = find_entry(db, side.other)
        return (row and row.since) or ""


def _list_captures_beside(run: Run, entry: str) -> list[str]:
    """Return the captures of *entry* that are no statements of their own on its page."""
    statements = list_statements_of_entry(run.db, entry)
    placed = {one.capture for one in statements}
    captures = list_captures_of_entry(run.db, entry)
    return [capture for capture in captures if capture not in placed]


def _read_page(run: Run, entry: str) -> PageText | None:
    row = find_page(run.db, entry)
    if row is None:
        return None
    text = run.repo.text(row.blob)
    placed = list_statements_of_entry(run.db, entry)
    if not placed:
        whole = Passages({"": [words_to_judge(text)]})
        return PageText(entry, row.path, row.title, whole, {}, None)
    blocks = {block.id: block for block in read_statements(text)}
    texts = {"": [words_beside_statements(text)]}
    names = {}
    for one in placed:
        block = blocks.pop(one.id, None)
        if one.stands and block is not None:
            texts[one.capture] = [block.words]
            names[one.capture] = name_statement(row.title, one.when)
    for block in blocks.values():
        # no capture of this page has this id: a person wrote it, or brought it here
        if not block.earlier:
            texts[""].append(block.words)
    passages = Passages(texts)
    index = PassageIndex(_list_passages(passages))
    return PageText(entry, row.path, row.title, passages, names, index)


def _list_passages(
    passages: Mapping[str, Sequence[str]],
) -> Iterator[tuple[str, str]]:
    for statement, some in passages.items():
        for passage in some:
            yield statement, passage


def list_comparable_entries(run: Run) -> list[str]:
    """Return every entry that a capture may be held against."""
    return list_comparable(run.db)


def list_pages(run: Run, ids: Sequence[str]) -> list[Page]:
    """Return the pages of the entries *ids*, as sides of a comparison."""
    return [Page(*page) for page in list_comparable_pages(run.db, ids)]


def list_speaking_sides(run: Run, subject: str, predicate: str) -> list[SideId]:
    """Return the pages, or the statements of pages, that last spoke of one matter."""
    found = list_speaking_statements(run.db, (subject, predicate), 2)
    return [SideId(*side) for side in found]


def list_linked_entries(run: Run, target: str) -> list[str]:
    """Return the entries that a link to *target* may mean, two at most."""
    return list_entries_linked(
        run.db, links.key(target), links.title_key(target)
    )
