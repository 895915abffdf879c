"""Find the pages that a capture may be compared with."""

from collections.abc import Sequence
from typing import NamedTuple

from companion.pages import links
from companion.runs.run import Run
from companion.storage.index.tables.claims import list_last_speakers
from companion.storage.index.tables.entries import (
    find_comparable_blob,
    list_comparable,
    list_comparable_pages,
)
from companion.storage.index.tables.pages import list_entries_linked


class Page(NamedTuple):
    """A page as the other side of a comparison."""

    id: str
    path: str
    title: str
    blob: str
    told: str  # the newest telling that rests in it
    # the capture whose statement on it is meant; None: the page as a whole
    statement: str | None = None


class ComparablePages:
    """The blobs of pages that a capture may be compared with: active entries, not in quarantine.

    Each is looked up when it is asked for: those of a large wiki would cost a night more than what
    it takes in.
    """

    def __init__(self, run: Run) -> None:
        self._db = run.db
        self._known: dict[str, str | None] = {}

    def __contains__(self, id: str) -> bool:
        return self._blob(id) is not None

    def __getitem__(self, id: str) -> str:
        blob = self._blob(id)
        if blob is None:
            raise KeyError(id)
        return blob

    def _blob(self, id: str) -> str | None:
        if id not in self._known:
            self._known[id] = find_comparable_blob(self._db, id)
        return self._known[id]


def list_comparable_entries(run: Run) -> list[str]:
    """Return every entry that a capture may be held against."""
    return list_comparable(run.db)


def list_pages(run: Run, ids: Sequence[str]) -> list[Page]:
    """Return the pages of the entries *ids*, as sides of a comparison."""
    return [Page(*page) for page in list_comparable_pages(run.db, ids)]


def list_speaking_entries(run: Run, subject: str, predicate: str) -> list[str]:
    """Return the entries that last spoke of one matter."""
    return list_last_speakers(run.db, (subject, predicate), 2)


def list_linked_entries(run: Run, target: str) -> list[str]:
    """Return the entries that a link to *target* may mean, two at most."""
    return list_entries_linked(
        run.db, links.key(target), links.title_key(target)
    )
