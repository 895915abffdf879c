"""Collect the words said around a claim: the paragraphs of its page that tell it, and the title.

On a page that gathers many notes, only the claim's own note counts.
"""

import sqlite3
from collections.abc import Callable, Mapping, Sequence

from companion.pages.statements import find_statement, statement_id
from companion.patterns import lazy
from companion.storage.index.tables.claims import RecordedClaim
from companion.storage.index.tables.pages.entries import find_page
from companion.tuples import NamedTuple
from companion.values.claims import split_words

_BLANK_LINES = lazy(r"\n\s*\n")
# gives the bytes of a page by its path and its blob
ReadPage = Callable[[str, str], bytes]


class _PageText(NamedTuple):
    title: str
    text: str


class _PageWords(NamedTuple):
    title: list[str]
    paragraphs: list[list[str]]


class Contexts:
    """The words around claims, each page read once."""

    def __init__(
        self,
        read: ReadPage,
        db: sqlite3.Connection,
        seen: Mapping[str, RecordedClaim],
    ) -> None:
        self.read = read
        self.db = db
        self.seen = seen
        self._texts: dict[str, _PageText] = {}
        self._pages: dict[tuple[str, str], _PageWords] = {}

    def __call__(self, ids: Sequence[str]) -> set[str]:
        """Return the words around the claims *ids*."""
        words: set[str] = set()
        for id in ids:
            words |= self._words_around(self.seen[id])
        return words

    def read_note(self, claim: RecordedClaim) -> str:
        """Return the words of the note of a *claim*; nothing where its page is gone."""
        text = self._read_text(claim.entry)
        block = find_statement(text.text, statement_id(claim.capture))
        return text.text if block is None else block.words

    def _words_around(self, claim: RecordedClaim) -> set[str]:
        page = self._page(claim.entry, statement_id(claim.capture))
        words = set(page.title)
        value = set(split_words(claim.object))
        if not value:
            return words
        for paragraph in page.paragraphs:
            if value <= set(paragraph):
                words.update(paragraph)
        return words

    def _page(self, entry: str, statement: str) -> _PageWords:
        place = (entry, statement)
        if place not in self._pages:
            self._pages[place] = self._read_words(entry, statement)
        return self._pages[place]

    def _read_words(self, entry: str, statement: str) -> _PageWords:
        title, text = self._read_text(entry)
        block = find_statement(text, statement)
        if block is not None:
            text = block.words
        paragraphs = _BLANK_LINES.split(text)
        return _PageWords(
            split_words(title), [split_words(part) for part in paragraphs]
        )

    def _read_text(self, entry: str) -> _PageText:
        if entry not in self._texts:
            self._texts[entry] = self._read_page(entry)
        return self._texts[entry]

    def _read_page(self, entry: str) -> _PageText:
        """Return title and text of a page; nothing where it is gone or quarantined."""
        row = find_page(self.db, entry)
        if row is None or row.quarantined:
            return _PageText("", "")
        data = self.read(row.path, row.blob)
        return _PageText(row.title, data.decode("utf-8", "replace"))
