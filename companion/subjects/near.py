"""Measure how near pages are to notes: by the vectors of both, and by the words they share."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.language.vectors.static_vectors import StaticEmbedder, dequantise
from companion.storage.vectors import Pack
from companion.subjects.mentions.aside import find_words_aside
from companion.subjects.mentions.first_name import (
    find_first_name,
    list_common_words,
)
from companion.subjects.shared_words import (
    NoteWords,
    PageWords,
    WikiWords,
    measure_shared,
)
from companion.subjects.values import Near
from companion.subjects.words import (
    begins_with_subject,
    find_first_sentence,
    list_lesser_words,
    list_telling_words,
    list_words_in_passing,
)

if TYPE_CHECKING:
    import numpy

# blobs looked up for each page wanted: some bear no entry, some the same
_ROOM = 4
# lengths of the vectors of words that tell nothing, and of those that tell all they can
_LITTLE = 8.0
_MUCH = 20.0
_LEAST = 0.05
# what a word counts that is a title of persons, or no noun where nouns show
_LESSER = 0.5
# a word of a page counts in full if as many of its notes have it, and such a part of them
_ENOUGH = 2
_PART = 3


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
    ids = sorted(asked)
    ours = _unit_vectors(b"".join(asked[id] for id in ids), len(ids))
    close: list[list[tuple[float, str]]] = [[] for _ in ids]
    wide = most * _ROOM
    for pack in packs:
        table = (ours @ _unit_vectors(pack.vectors, pack.size).T).round(3)
        for row, found in zip(table, close, strict=True):
            places = _list_promising(row, found, wide)
            found += [(-float(row[n]), pack.blob(int(n))) for n in places]
            found.sort()
            del found[wide:]
    entries_of: dict[str, list[str]] = {}

    def list_entries(blob: str) -> list[str]:
        """Return the entries of *blob*; notes of one night are near the same pages."""
        if blob not in entries_of:
            entries_of[blob] = sorted(bearers([blob]))
        return entries_of[blob]

    return {
        id: _list_entries(found, list_entries, most)
        for id, found in zip(ids, close, strict=True)
    }


class PageText(NamedTuple):
    """The texts that a page is measured by."""

    names: str  # its title and its aliases
    beside: str  # what stands beside its notes
    notes: tuple[str, ...]


class Measure:
    """Measure texts of notes against texts of pages; each is looked at once."""

    def __init__(self, embedder: StaticEmbedder) -> None:
        self._embedder = embedder
        self._notes: dict[str, NoteWords] = {}
        self._pages: dict[PageText, PageWords] = {}
        self._texts: dict[str, numpy.ndarray] = {}
        self._vectors: dict[str, numpy.ndarray] = {}

    def list_words(self, note: str) -> dict[str, float]:
        """Return the words of the text *note* that tell something, and how much."""
        return dict(self._read_note(note).weights)

    def measure(
        self, note: str, pages: Mapping[str, PageText], wiki: WikiWords
    ) -> list[Near]:
        """Return how near *pages*, by entry, are to the text *note*."""
        if not pages:
            return []
        words = self._read_note(note)
        theirs = [self._count_words(page) for page in pages.values()]
        self._learn_words(list(words.weights))
        for page in theirs:
            self._learn_words(list(page.counts))
        texts = [_join(page) for page in pages.values()]
        self._learn_texts([note, *texts])
        shared = measure_shared(words, theirs, self._vectors, wiki)
        ours = self._texts[note]
        near = []
        for entry, text, one in zip(pages, texts, shared, strict=True):
            cosine = round(float(ours @ self._texts[text]), 3)
            near.append(Near(entry, cosine, *one))
        return near

    def _read_note(self, text: str) -> NoteWords:
        if text not in self._notes:
            words = list_telling_words(text)
            lesser = list_lesser_words(text)
            lengths = self._embedder.measure_words(words)
            weights = {}
            for word, length in zip(words, lengths, strict=True):
                weights[word] = _weigh(length)
                if word in lesser:
                    weights[word] *= _LESSER
            self._notes[text] = NoteWords(
                weights,
                begins_with_subject(text),
                find_first_name(text),
                list_words_in_passing(text),
                find_words_aside(text),
            )
        return self._notes[text]

    def _count_words(self, page: PageText) -> PageWords:
        """Return the words of a page; those that few of its notes have count less."""
        if page not in self._pages:
            notes = Counter(
                word for note in page.notes for word in list_telling_words(note)
            )
            counts = _weigh_notes(notes, len(page.notes))
            half = len(page.notes) / 2
            own = {word for word, n in notes.items() if n > half}
            beside = list_telling_words(f"{page.names}\n{page.beside}")
            counts.update(dict.fromkeys(beside, 1.0))
            in_notes = {w: n for w, n in notes.items() if w not in beside}
            names = frozenset(list_telling_words(page.names))
            own.update(beside)
            core = {word for word, n in notes.items() if 1 < n >= half}
            core.update(names, list_telling_words(_find_beginning(page)))
            self._pages[page] = PageWords(
                counts,
                frozenset(own),
                names,
                frozenset(core),
                in_notes,
                list_common_words("\n".join(page.notes)),
            )
        return self._pages[page]

    def _learn_texts(self, texts: Sequence[str]) -> None:
        new = [text for text in dict.fromkeys(texts) if text not in self._texts]
        self._texts.update(self._embed(new))

    def _learn_words(self, words: Sequence[str]) -> None:
        new = [
            word for word in dict.fromkeys(words) if word not in self._vectors
        ]
        self._vectors.update(self._embed(new))

    def _embed(self, texts: Sequence[str]) -> dict[str, "numpy.ndarray"]:
        if not texts:
            return {}
        vectors = self._embedder.embed(texts)
        return dict(zip(texts, vectors, strict=True))


def _weigh_notes(notes: Mapping[str, int], count: int) -> dict[str, float]:
    """Return what each word counts that so many of a page's *count* notes have, at most 1."""
    enough = max(_ENOUGH, count / _PART) if count > 1 else 1
    return {word: min(1.0, n / enough) for word, n in notes.items()}


def _find_beginning(page: PageText) -> str:
    """Return the first sentence of a page: it says what the page is about."""
    text = page.beside
    if not text and page.notes:
        text = page.notes[0]
    return find_first_sentence(text)


def _join(page: PageText) -> str:
    return "\n".join((page.names, page.beside, *page.notes))


def _weigh(length: float) -> float:
    """Return how much a word tells whose vectors have this length, in [0.05, 1]."""
    tells = (length - _LITTLE) / (_MUCH - _LITTLE)
    return min(max(tells, _LEAST), 1.0)


def _list_entries(
    found: Iterable[tuple[float, str]],
    entries_of: Callable[[str], Iterable[str]],
    most: int,
) -> list[str]:
    """Return the first *most* entries that bear the blobs *found*, each once, in their order."""
    entries: dict[str, None] = {}
    for _, blob in found:
        entries.update(dict.fromkeys(entries_of(blob)))
        if len(entries) >= most:
            break
    return list(entries)[:most]


def _list_promising(
    row: "numpy.ndarray", found: Sequence[tuple[float, str]], most: int
) -> "numpy.ndarray":
    """Return the places of the *most* highest numbers that may still come among those *found*.

    A wiki has many packs: of the later ones hardly any is nearer than what the first ones had.
    """
    import numpy

    if len(found) < most:
        return _list_highest(row, most)
    places = numpy.flatnonzero(row >= -found[-1][0])
    return places if len(places) <= most else _list_highest(row, most)


def _list_highest(row: "numpy.ndarray", most: int) -> "numpy.ndarray":
    """Return the places of the *most* highest numbers; of equal ones the first, as sorting does.

    To sort all of them would cost each note a sort of the whole wiki.
    """
    import numpy

    if len(row) <= most:
        return numpy.argsort(-row, kind="stable")
    least = numpy.partition(row, len(row) - most)[len(row) - most]
    above = numpy.flatnonzero(row > least)
    even = numpy.flatnonzero(row == least)[: most - len(above)]
    places = numpy.sort(numpy.concatenate((above, even)))
    return places[numpy.argsort(-row[places], kind="stable")]


def _unit_vectors(codes: bytes, count: int) -> "numpy.ndarray":
    import numpy

    return dequantise(
        numpy.frombuffer(codes, dtype=numpy.int8).reshape(count, -1)
    )
