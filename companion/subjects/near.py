"""Measure how near pages are to notes: by the vectors of both, and by the words they share."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from companion.language.protocols import Embedder
from companion.language.static_vectors import dequantise
from companion.storage.vectors import Pack
from companion.subjects.shared_words import measure_shared
from companion.subjects.values import Near
from companion.subjects.words import list_telling_words

if TYPE_CHECKING:
    import numpy

# blobs looked up for each page wanted: some bear no entry, some the same
_ROOM = 4


def find_near(
    asked: Mapping[str, bytes],
    packs: Iterable[Pack],
    bearers: Callable[[Sequence[str]], Iterable[str]],
    most: int,
) -> dict[str, list[str]]:
    """Return for each id of *asked* the nearest entries, nearest first, at most *most*.

    *bearers* names the entries whose pages hold a blob. Cosines are rounded, so that machines
    agree; ties go by blob and entry.
    """
    import numpy

    ids = sorted(asked)
    ours = _unit_vectors(b"".join(asked[id] for id in ids), len(ids))
    close: list[list[tuple[float, str]]] = [[] for _ in ids]
    wide = most * _ROOM
    for pack in packs:
        table = (ours @ _unit_vectors(pack.vectors, pack.size).T).round(3)
        for row, found in zip(table, close, strict=True):
            places = numpy.argsort(-row, kind="stable")[:wide]
            found += [(-float(row[n]), pack.blob(int(n))) for n in places]
            found.sort()
            del found[wide:]
    return {
        id: _list_entries(found, bearers)[:most]
        for id, found in zip(ids, close, strict=True)
    }


class Measure:
    """Measure texts of notes against texts of pages; each is looked at once."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._words: dict[str, list[str]] = {}
        self._texts: dict[str, numpy.ndarray] = {}
        self._vectors: dict[str, numpy.ndarray] = {}

    def measure(self, note: str, pages: Mapping[str, str]) -> list[Near]:
        """Return how near *pages*, texts by entry, are to the text *note*."""
        if not pages:
            return []
        texts = [note, *pages.values()]
        self._learn(texts)
        shared = measure_shared(
            self._words[note],
            [self._words[text] for text in pages.values()],
            self._vectors,
        )
        ours = self._texts[note]
        near = []
        for (entry, text), one in zip(pages.items(), shared, strict=True):
            cosine = round(float(ours @ self._texts[text]), 3)
            near.append(Near(entry, cosine, one.total, one.share))
        return near

    def _learn(self, texts: Sequence[str]) -> None:
        """Embed those of *texts*, and of their words, that are new."""
        new = [text for text in dict.fromkeys(texts) if text not in self._texts]
        self._texts.update(self._embed(new))
        words: dict[str, None] = {}
        for text in new:
            self._words[text] = list_telling_words(text)
            words.update(dict.fromkeys(self._words[text]))
        unknown = [word for word in words if word not in self._vectors]
        self._vectors.update(self._embed(unknown))

    def _embed(self, texts: Sequence[str]) -> dict[str, "numpy.ndarray"]:
        if not texts:
            return {}
        vectors = self._embedder.embed(texts)
        return dict(zip(texts, vectors, strict=True))


def _list_entries(
    found: Sequence[tuple[float, str]],
    bearers: Callable[[Sequence[str]], Iterable[str]],
) -> list[str]:
    entries: dict[str, None] = {}
    for _, blob in found:
        entries.update(dict.fromkeys(sorted(bearers([blob]))))
    return list(entries)


def _unit_vectors(codes: bytes, count: int) -> "numpy.ndarray":
    import numpy

    return dequantise(
        numpy.frombuffer(codes, dtype=numpy.int8).reshape(count, -1)
    )
