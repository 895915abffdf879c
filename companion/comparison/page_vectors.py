"""The vectors of all pages, at night: made of what changed since all had one, and searched where
they lie.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager

from companion import config
from companion.comparison.nearest import (
    CHUNK,
    NEAR,
    embed_quantised,
    embedder_name,
    find_nearest_stored,
    vectors_path,
)
from companion.language.protocols import Embedder
from companion.pages.body import words_to_judge
from companion.runs.run import Run
from companion.storage.index import schema as index
from companion.storage.index.tables.pages import (
    find_title_of_blob,
    list_comparable_with_blobs,
    list_readable_blobs,
    list_readable_blobs_at,
)
from companion.storage.index.vectors import Vectors
from companion.values.wording import without_frontmatter

# characters of a text that its vector is made of: it says at its beginning what it is about
OPENING = 1000
# vectors kept for each page: a page's former contents may come back, but not for ever
_STALE = 2


@contextmanager
def open_page_vectors(
    tonight: Run, embedder: Embedder, *, only: bool = False
) -> Iterator["PageVectors"]:
    """Open the vectors of the night's pages, all of them made; with *only*, drop what other
    embedders left.
    """
    store = Vectors(vectors_path(tonight.ws), embedder_name(embedder))
    try:
        found = PageVectors(tonight, embedder, store)
        found.complete()
        if only:
            store.forget_others()
        yield found
    finally:
        store.close()


class PageVectors:
    """The vectors of one tree's pages: of those that bear entries, wherever these stand, and of
    branches' members.
    """

    def __init__(
        self, tonight: Run, embedder: Embedder, store: Vectors
    ) -> None:
        self._tonight, self._embedder, self.store = tonight, embedder, store

    def complete(self) -> None:
        """Embed the pages that have no vector yet; only those are looked at that changed since all
        of them had one.
        """
        night, before = self._tonight, self.store.tree()
        if night.tree is None or night.tree == before:
            return
        self._make(self.store.missing(self._changed(before)))
        if self.store.count() > _STALE * int(
            index.read_meta(night.db, "docs") or 0
        ):
            self.store.keep(self._all())
        self.store.completed(night.tree)

    def of(self, blobs: Collection[str]) -> dict[str, bytes]:
        """Return the vectors of pages by their *blobs*, as they are or were."""
        found = self.store.some(blobs)
        missing = sorted(set(blobs) - found.keys())
        self._make(missing)
        return {**found, **self.store.some(missing)}

    def nearest(
        self, asked: Mapping[str, bytes], most: int = NEAR
    ) -> dict[str, list[str]]:
        """Return the nearest of the entries that a capture may be held against, as
        `neighbours.nearest` does.
        """

        def bearers(blobs: Sequence[str]) -> list[str]:
            return list_comparable_with_blobs(self._tonight.db, blobs)

        return find_nearest_stored(asked, self.store.packs, bearers, most=most)

    def _make(self, blobs: Sequence[str]) -> None:
        for start in range(0, len(blobs), CHUNK):
            some = blobs[start : start + CHUNK]
            made = embed_quantised(
                self._embedder, [self._text(blob) for blob in some]
            )
            self.store.put(list(zip(some, made, strict=True)))

    def _all(self) -> list[str]:
        return list_readable_blobs(self._tonight.db)

    def _changed(self, before: str | None) -> list[str]:
        """Return the blobs of the pages that changed since the tree *before*; of all where that is
        not known.
        """
        night = self._tonight
        if before is None or not night.repo.has(before):
            return self._all()
        changes = list(night.repo.changes(before, night.tree))
        # it may take in pages that it had left out
        if any(change.path == config.PATH for change in changes):
            return self._all()
        paths = [change.path for change in changes if change.new is not None]
        return list_readable_blobs_at(night.db, paths)

    def _text(self, blob: str) -> str:
        named = find_title_of_blob(self._tonight.db, blob)
        said = words_to_judge(self._tonight.repo.text(blob))
        return f"{named}\n{without_frontmatter(said)[:OPENING]}"
