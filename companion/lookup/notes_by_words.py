"""Rank notes by the words that they share with a question, whatever their endings.

A search ranks pages. Here each note of its best pages is ranked by itself, by BM25 over stems, and
takes a part of what the notes before and after it on the page have: who answers a question seldom
repeats its words.
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.language.sentence_ends import find_ends
from companion.storage.index.terms import split_words

if TYPE_CHECKING:
    from companion.lookup.results import SearchHit

_K1, _B = 1.2, 0.75
_BESIDE = 0.2  # what a note has of the score of each neighbour
_EARLIER = 0.5  # what a match counts in a statement that lost

Stem = Callable[[str], str]


class Place(NamedTuple):
    """Where a passage stands."""

    entry: str
    statement: str  # empty: the whole page, or a note that waits


class Note(NamedTuple):
    """A note on a page that a search found."""

    place: Place
    text: str
    when: str | None
    earlier: bool  # it lost
    hit: "SearchHit"
    teller: str = ""  # who told it, as the teller is called; empty: unknown

    @property
    def named(self) -> str:
        """The title of its page, who told it, and its words: what it may be found by."""
        return f"{self.hit['title']} {self.teller} {self.text}"


class RankedNote(NamedTuple):
    """A note, and how well its words fit a question."""

    note: Note
    score: float  # above 0; of one question's notes only


def rank_notes(
    notes: Sequence[Note], asked: Collection[str], stem: Stem, most: int
) -> list[RankedNote]:
    """Return the notes with most of the stems *asked*, the best first, at most *most*.

    *notes* stand in the order of their pages. Of equals the first on its page comes first. Who told
    a note counts as a word of it: people say "I" and are asked about by name.
    """
    documents = [list_stems(note.named, stem) for note in notes]
    weights = weigh_stems(documents, asked)
    average = sum(map(len, documents)) / max(1, len(documents))
    own = []
    for note, document in zip(notes, documents, strict=True):
        score = _score_bm25(document, weights, average)
        own.append(score * _EARLIER if note.earlier else score)
    scores = [
        score + _BESIDE * _score_beside(notes, own, at)
        for at, score in enumerate(own)
    ]
    order = sorted(range(len(notes)), key=lambda at: -round(scores[at], 6))
    found = [at for at in order if scores[at] > 0][:most]
    return [RankedNote(notes[at], scores[at]) for at in found]


def list_stems(text: str, stem: Stem) -> list[str]:
    """Return the stems of the words of *text*, in order."""
    return [stem(word) for word in split_words(text)]


def weigh_stems(
    documents: Sequence[Sequence[str]], asked: Iterable[str]
) -> dict[str, float]:
    """Return the weight of each stem *asked*: the fewer *documents* have it, the more it weighs."""
    sets = [set(document) for document in documents]
    weights = {}
    for one in dict.fromkeys(asked):
        n = sum(one in words for words in sets)
        weights[one] = math.log(1 + (len(sets) - n + 0.5) / (n + 0.5))
    return weights


def _score_bm25(
    document: Sequence[str], weights: Mapping[str, float], average: float
) -> float:
    length = _K1 * (1 - _B + _B * len(document) / max(1.0, average))
    score = 0.0
    for one, weight in weights.items():
        count = document.count(one)
        score += weight * count * (_K1 + 1) / (count + length)
    return score


def _score_beside(
    notes: Sequence[Note], scores: Sequence[float], at: int
) -> float:
    """Return the scores of the notes before and after the one *at* on its page, added."""
    total = 0.0
    for near in (at - 1, at + 1):
        if not 0 <= near < len(notes):
            continue
        if notes[near].place.entry == notes[at].place.entry:
            total += scores[near]
    return total


def cut_excerpt(
    text: str, weights: Mapping[str, float], stem: Stem, size: int
) -> str:
    """Return the sentences of *text* with most of the stems weighed, on one line.

    They stand together and have about *size* characters at most; "…" says that there is more.
    """
    pieces = _split_sentences(text)
    stems = [set(list_stems(piece, stem)) for piece in pieces]
    best, best_worth = (0, 0), -1.0
    for first in range(len(pieces)):
        stop = _end_of_window(pieces, first, size)
        held = set[str]().union(*stems[first:stop])
        worth = sum(weights.get(one, 0.0) for one in held)
        if worth > best_worth:
            best, best_worth = (first, stop), worth
    first, stop = best
    excerpt = " ".join(pieces[first:stop])
    before = "…" if first else ""
    is_cut = stop < len(pieces) or len(excerpt) > size
    return before + excerpt[:size] + ("…" if is_cut else "")


def _split_sentences(text: str) -> list[str]:
    """Return the sentences of *text*, each on one line; a line ends a sentence too."""
    pieces = []
    for line in text.splitlines():
        begin = 0
        for stop in (*find_ends(line, 0, len(line)), len(line)):
            pieces.append(" ".join(line[begin:stop].split()))
            begin = stop
    return [piece for piece in pieces if piece]


def _end_of_window(pieces: Sequence[str], first: int, size: int) -> int:
    """Return the end of the pieces from *first* that have *size* characters; one at least."""
    length = len(pieces[first])
    stop = first + 1
    while stop < len(pieces) and length + 1 + len(pieces[stop]) <= size:
        length += 1 + len(pieces[stop])
        stop += 1
    return stop
