"""What was said around a claim: the paragraph of the page that says it, and the page's title."""

import re
import sqlite3
from collections.abc import Mapping, Sequence

from companion.lookup.excerpts import read_page_bytes
from companion.storage.index.tables.claims import RecordedClaim
from companion.storage.index.tables.entries import find_page
from companion.values.claims import split_words
from companion.workspace import Workspace


class Contexts:
    """The words around claims, each page read once."""

    def __init__(
        self,
        ws: Workspace,
        db: sqlite3.Connection,
        seen: Mapping[str, RecordedClaim],
    ) -> None:
        self.ws, self.db, self.seen = ws, db, seen
        self._pages: dict[str, tuple[list[str], list[list[str]]]] = {}

    def __call__(self, ids: Sequence[str]) -> set[str]:
        """Return the words around the claims *ids*."""
        return {word for id in ids for word in self._of(self.seen[id])}

    def _of(self, said: RecordedClaim) -> set[str]:
        title, paragraphs = self._page(said.entry)
        about = split_words(said.object)
        telling = (
            [each for each in paragraphs if set(about) <= set(each)]
            if about
            else []
        )
        return {*title, *(word for each in telling for word in each)}

    def _page(self, entry: str) -> tuple[list[str], list[list[str]]]:
        if entry not in self._pages:
            row = find_page(self.db, entry)
            if row is not None and row.quarantined:
                row = None
            text = (
                ""
                if row is None
                else read_page_bytes(self.ws, row.path, row.blob).decode(
                    "utf-8", "replace"
                )
            )
            title = [] if row is None else split_words(row.title)
            self._pages[entry] = (
                title,
                [split_words(each) for each in re.split(r"\n\s*\n", text)],
            )
        return self._pages[entry]
