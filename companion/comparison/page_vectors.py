"""Make and search the vectors of all pages, at night: only what changed is embedded.

A page of several statements has a vector for each, and one for what stands beside them. They are
kept under the hash of their words, and made of these alone: whatever page a statement moves to, its
vector stays.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager

from companion import config
from companion.comparison.candidate_pairs import SideId
from companion.comparison.nearest import (
    CHUNK,
    NEAR,
    embed_quantised,
    embedder_name,
    find_nearest_stored,
    vectors_path,
)
from companion.language.protocols import (
    Embedder,
    ModelUnavailable,
    WrongWeights,
)
from companion.pages.body import words_beside_statements, words_to_judge
from companion.pages.series_table import read_rows
from companion.pages.statements import read_statements
from companion.runs.run import Run
from companion.storage.index import schema
from companion.storage.index.tables.pages.names import (
    find_titles_of_blobs,
    list_comparable_sides,
    list_readable_texts,
    list_readable_texts_at,
)
from companion.storage.index.tables.pages.statements import (
    BESIDE,
    StatementText,
    count_all_statements,
    list_pages_with_texts,
)
from companion.storage.vectors import Vectors
from companion.values.wording import without_frontmatter

# characters of a text that its vector is made of: it says at its beginning what it is about
OPENING = 1000
# vectors kept for each text: a page's former contents may come back, but not for ever
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


def embed_what_was_written(run: Run, embedder: Embedder | None) -> list[str]:
    """Embed the pages that a run wrote, where searches compare with their vectors.

    What only nights compare with is embedded by the next night. Return what went wrong: without
    the model the run stays as it is, for it is written already.
    """
    if embedder is None or run.config.reasoner != "vectors":
        return []
    run.progress.begin("embedding new pages")
    try:
        with open_page_vectors(run, embedder):
            return []
    except (ModelUnavailable, WrongWeights) as error:
        return [f"what is new has no vectors yet: {error}"]


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
        texts = int(schema.read_meta(self._run.db, "docs") or 0)
        texts += count_all_statements(self._run.db)
        if self.store.count() > _STALE * texts:
            self.store.keep(list_readable_texts(self._run.db))
        self.store.completed(tree)

    def of(self, blobs: Collection[str]) -> dict[str, bytes]:
        """Return the vectors of pages by their *blobs*, as they are or were."""
        found = self.store.some(blobs)
        missing = sorted(set(blobs) - found.keys())
        self._embed(missing)
        return {**found, **self.store.some(missing)}

    def nearest(
        self, asked: Mapping[str, bytes], most: int = NEAR
    ) -> dict[str, list[SideId]]:
        """Return the nearest of what a capture may be compared with: pages, or statements of them.

        As `find_nearest` does.
        """

        def list_bearers(texts: Sequence[str]) -> list[SideId]:
            """Return the comparable pages and statements whose texts have the hashes *texts*."""
            found = list_comparable_sides(self._run.db, texts)
            return [SideId(*side) for side in found]

        return find_nearest_stored(
            asked, self.store.packs, list_bearers, most=most
        )

    def _embed(self, texts: Sequence[str]) -> None:
        for start in range(0, len(texts), CHUNK):
            some = texts[start : start + CHUNK]
            words = self._read_statements(some)
            titles = find_titles_of_blobs(self._run.db, some)
            openings = []
            for text in some:
                if text in words:
                    openings.append(words[text][:OPENING])
                else:
                    openings.append(self._read_opening(text, titles[text]))
            made = embed_quantised(self._embedder, openings)
            self.store.put(list(zip(some, made, strict=True)))

    def _read_statements(self, texts: Sequence[str]) -> dict[str, str]:
        """Return the words of those of *texts* that stand as statements, or beside some.

        Each page is read once.
        """
        by_page: dict[str, list[StatementText]] = {}
        for found in list_pages_with_texts(self._run.db, texts):
            by_page.setdefault(found.blob, []).append(found)
        words: dict[str, str] = {}
        for blob, stored in by_page.items():
            text = without_frontmatter(self._run.repo.text(blob))
            words_of = {one.id: one.words for one in read_statements(text)}
            words_of.update((row.id, row.words) for row in read_rows(text))
            words_of[BESIDE] = words_beside_statements(text)
            words.update((one.text, words_of[one.id]) for one in stored)
        return words

    def _list_changed(self, before: str | None) -> list[str]:
        """Return the hashes of the texts of pages that changed since the tree *before*.

        Of all pages, if that is unknown.
        """
        run = self._run
        if before is None or not run.repo.has(before):
            return list_readable_texts(run.db)
        changes = list(run.repo.changes(before, run.tree))
        # it may take in pages that it had left out
        if any(change.path == config.PATH for change in changes):
            return list_readable_texts(run.db)
        paths = [change.path for change in changes if change.new is not None]
        return list_readable_texts_at(run.db, paths)

    def _read_opening(self, blob: str, title: str) -> str:
        """Return the *title* of a page and the beginning of its words."""
        text = words_to_judge(self._run.repo.text(blob))
        return f"{title}\n{without_frontmatter(text)[:OPENING]}"
