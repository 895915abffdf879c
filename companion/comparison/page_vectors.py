"""Make and search the vectors of all pages, at night: only pages that changed are embedded."""

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
from companion.storage.index import schema
from companion.storage.index.tables.pages import (
    find_title_of_blob,
    list_comparable_with_blobs,
    list_readable_blobs,
    list_readable_blobs_at,
)
from companion.storage.vectors import Vectors
from companion.values.wording import without_frontmatter

# characters of a text that its vector is made of: it says at its beginning what it is about
OPENING = 1000
# vectors kept for each page: a page's former contents may come back, but not for ever
_STALE = 2


@contextmanager
def open_page_vectors(
    run: Run, embedder: Embedder, *, only: bool = False
) -> Iterator["PageVectors"]:
    """Open the vectors of the night's pages, all of them made.

    With *only*, drop what other embedders left.
    """
    store = Vectors(vectors_path(run.ws), embedder_name(embedder))
    try:
        found = PageVectors(run, embedder, store)
        found.complete()
        if only:
            store.forget_others()
        yield found
    finally:
        store.close()


class PageVectors:
    """The vectors of one tree's pages: of entries anywhere, and of members of branches."""

    def __init__(self, run: Run, embedder: Embedder, store: Vectors) -> None:
        self._run = run
        self._embedder = embedder
        self.store = store

    def complete(self) -> None:
        """Embed the pages that have no vector yet.

        Only pages that changed since all of them had one are looked at.
        """
        tree = self._run.tree
        before = self.store.tree()
        if tree is None or tree == before:
            return
        self._embed(self.store.missing(self._list_changed(before)))
        pages = int(schema.read_meta(self._run.db, "docs") or 0)
        if self.store.count() > _STALE * pages:
            self.store.keep(list_readable_blobs(self._run.db))
        self.store.completed(tree)

    def of(self, blobs: Collection[str]) -> dict[str, bytes]:
        """Return the vectors of pages by their *blobs*, as they are or were."""
        found = self.store.some(blobs)
        missing = sorted(set(blobs) - found.keys())
        self._embed(missing)
        return {**found, **self.store.some(missing)}

    def nearest(
        self, asked: Mapping[str, bytes], most: int = NEAR
    ) -> dict[str, list[str]]:
        """Return the nearest of the entries that a capture may be compared with.

        As `find_nearest` does.
        """

        def list_bearers(blobs: Sequence[str]) -> list[str]:
            """Return the comparable entries whose pages have *blobs*."""
            return list_comparable_with_blobs(self._run.db, blobs)

        return find_nearest_stored(
            asked, self.store.packs, list_bearers, most=most
        )

    def _embed(self, blobs: Sequence[str]) -> None:
        for start in range(0, len(blobs), CHUNK):
            some = blobs[start : start + CHUNK]
            openings = [self._read_opening(blob) for blob in some]
            made = embed_quantised(self._embedder, openings)
            self.store.put(list(zip(some, made, strict=True)))

    def _list_changed(self, before: str | None) -> list[str]:
        """Return the blobs of pages that changed since the tree *before*; of all if unknown."""
        run = self._run
        if before is None or not run.repo.has(before):
            return list_readable_blobs(run.db)
        changes = list(run.repo.changes(before, run.tree))
        # it may take in pages that it had left out
        if any(change.path == config.PATH for change in changes):
            return list_readable_blobs(run.db)
        paths = [change.path for change in changes if change.new is not None]
        return list_readable_blobs_at(run.db, paths)

    def _read_opening(self, blob: str) -> str:
        """Return the title of a page and the beginning of its words."""
        title = find_title_of_blob(self._run.db, blob)
        text = words_to_judge(self._run.repo.text(blob))
        return f"{title}\n{without_frontmatter(text)[:OPENING]}"
