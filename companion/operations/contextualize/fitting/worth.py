"""Weigh what each piece of a source is worth to its reader (MaM §5.4: what, not only how much).

    worth = (1 - lean) · general + lean · interest,   times fullness and the speaker's share

*interest* says how near a piece is to what the reader wrote and asked around the topic, and to
their role: by vectors (the cosine with the nearest of these texts, by that text's weight), and by
the terms that they share, each by how rare it is in the source (BM25; Robertson 2009). *general*
says what a piece tells whoever reads it: what other pieces do not say (the mean rarity of its
terms), what is exact in it, its place, and its cosine with the mean of all pieces (Radev et al.
2004). *lean* grows with what is known of the reader, from 0.

The constants were chosen on one half of the questions of `python -m tests.bench depth`. There,
centrality alone (as in TextRank) is worse than chance: in conversations, what is central is small
talk.

Two readers with different wikis get different pieces of one source. Of a source with more than MOST
pieces those compete that are worth most by their terms. Pure.
"""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.language.protocols import Embedder
from companion.operations.contextualize.fitting.pieces import (
    Parted,
    Piece,
    count_words,
    leads_to_list,
)
from companion.operations.contextualize.fitting.terms import Terms
from companion.operations.contextualize.values import ReaderContext
from companion.sources.document import Document

if TYPE_CHECKING:
    import numpy

# pieces that are compared by vectors
MOST = 3_000
# texts of the reader that pieces are held against
_MOST_TEXTS = 120
# characters of each
_OPENING = 600
# how much interest may decide at most, and how much evidence it takes
LEAN, _ENOUGH = 0.75, 2.0
# what a question counts against a note, and the role
_QUESTION, _ROLE = 1.5, 0.7
# shares of the parts of *general*
_CENTRAL, _TERMS, _PLACE, _EXACT = 0.1, 0.5, 0.1, 0.3
# terms by which a piece of few terms counts less
_FEW = 3
# pieces of these kinds are worth less than sentences
_KINDS = {"row": 0.8, "code": 0.6}
# of a conversation: who speaks
_SPEAKERS = {"owner": 1.0, "other": 1.0, "assistant": 0.4, "tool": 0.25}
_QUESTION_TURN = 0.8
# share of vectors in *interest*
_BY_VECTOR = 0.4
_K1, _B = 1.2, 0.6
_EXACT_WORD = re.compile(r"\d|(?<=[\w,;] )[^\W\d_a-zà-ÿ][\w'-]+")
_ASKS = re.compile(r"[?\uff1f]['\"*_)]*\Z")


class Interest(NamedTuple):
    """A text that shows what the reader cares about."""

    text: str
    weight: float


class Worths(NamedTuple):
    """The worth of pieces, and their vectors: one row for each of *numbers*."""

    numbers: tuple[int, ...]  # of pieces, ascending
    worth: "numpy.ndarray"  # (n,)
    vectors: "numpy.ndarray"  # (n, d)


def list_interests(context: ReaderContext) -> list[Interest]:
    """Return the texts of the reader that sentences are chosen for, the heaviest first."""
    interests = [
        Interest(note.text[:_OPENING], note.nearness) for note in context.notes
    ]
    for question in context.questions:
        weight = _QUESTION * question.nearness * (1 + math.log(question.times))
        interests.append(Interest(question.words[:_OPENING], weight))
    if context.role:
        interests.append(Interest(context.role, _ROLE))
    interests.sort(key=lambda one: (-one.weight, one.text))
    return [one for one in interests[:_MOST_TEXTS] if one.weight > 0]


def weigh_pieces(
    document: Document,
    parted: Parted,
    context: ReaderContext,
    embedder: Embedder,
) -> Worths:
    """Return what the pieces of *document* are worth to the reader of *context*."""
    import numpy

    interests = list_interests(context)
    lean = _measure_lean(interests)
    rough = _score_by_terms(document, parted, interests)
    by_terms = lean * rough.shared + (1 - lean) * rough.rare
    order = numpy.argsort(-(rough.share * by_terms).round(9), kind="stable")
    numbers = numpy.sort(order[:MOST])
    some = [parted.words_of(int(n)) for n in numbers]
    vectors = embedder.embed(some)
    near = _measure_interest(vectors, interests, embedder)
    central = _measure_centrality(vectors)
    place = numpy.array([_place_of(parted, int(n)) for n in numbers])
    exact = numpy.array([_measure_exactness(text) for text in some])
    general = (
        _CENTRAL * central
        + _TERMS * rough.rare[numbers]
        + _PLACE * place
        + _EXACT * exact
    )
    interest = _BY_VECTOR * near + (1 - _BY_VECTOR) * rough.shared[numbers]
    worth = (1 - lean) * general + lean * interest
    worth = (rough.share[numbers] * worth).round(6)
    return Worths(tuple(int(n) for n in numbers), worth, vectors)


class _ByTerms(NamedTuple):
    """The terms of each piece's worth, in [0, 1]."""

    shared: "numpy.ndarray"  # with the reader's interests
    rare: "numpy.ndarray"  # what other pieces do not say
    share: "numpy.ndarray"  # of its length, its kind and its speaker


def _score_by_terms(
    document: Document, parted: Parted, interests: Sequence[Interest]
) -> _ByTerms:
    """Score every piece by its terms; of a long source no more is held than the scores."""
    import numpy

    terms = Terms(parted.text)
    count = len(parted.pieces)
    frequencies: Counter[str] = Counter()
    for number in range(count):
        frequencies.update(set(terms.split(parted.words_of(number))))
    rarity = _measure_rarity(frequencies, count)
    wanted = _weigh_terms(interests, terms)
    shared = numpy.zeros(count)
    rare = numpy.zeros(count)
    share = numpy.zeros(count)
    for number, piece in enumerate(parted.pieces):
        text = parted.words_of(number)
        bag = terms.split(text)
        shared[number] = _score_terms(bag, rarity, wanted)
        rare[number] = _weigh_bag(bag, rarity)
        share[number] = _share_of(document, piece, text)
    return _ByTerms(_scale(shared), _scale(rare), share)


def _measure_lean(interests: Sequence[Interest]) -> float:
    known = sum(one.weight for one in interests)
    return LEAN * (1.0 - math.exp(-known / _ENOUGH))


def _measure_rarity(
    frequencies: Mapping[str, int], count: int
) -> dict[str, float]:
    """Return each term's inverse frequency among *count* pieces."""
    return {
        term: math.log(1 + (count - n + 0.5) / (n + 0.5))
        for term, n in frequencies.items()
    }


def _weigh_terms(
    interests: Sequence[Interest], terms: Terms
) -> dict[str, float]:
    """Return how much the reader wants each term, at most 1."""
    wanted: dict[str, float] = {}
    for one in interests:
        for term in set(terms.split(one.text)):
            wanted[term] = min(1.0, wanted.get(term, 0.0) + one.weight)
    return wanted


def _score_terms(
    bag: Sequence[str],
    rarity: Mapping[str, float],
    wanted: Mapping[str, float],
) -> float:
    """Return BM25 of a piece for the terms that the reader wants."""
    if not wanted or not bag:
        return 0.0
    length = _K1 * (1 - _B + _B * len(bag) / 15)
    score = 0.0
    for term in dict.fromkeys(bag):
        if term in wanted:
            count = bag.count(term)
            gain = count * (_K1 + 1) / (count + length)
            score += wanted[term] * rarity[term] * gain
    return score


def _weigh_bag(bag: Sequence[str], rarity: Mapping[str, float]) -> float:
    """Return how much a piece says that other pieces do not: its terms' mean rarity."""
    distinct = dict.fromkeys(bag)
    return sum(rarity[term] for term in distinct) / (len(distinct) + _FEW)


def _measure_interest(
    vectors: "numpy.ndarray",
    interests: Sequence[Interest],
    embedder: Embedder,
) -> "numpy.ndarray":
    import numpy

    if not interests or not len(vectors):
        return numpy.zeros(len(vectors))
    theirs = embedder.embed([one.text for one in interests])
    weights = numpy.array([min(1.0, one.weight) for one in interests])
    near = (vectors @ theirs.T).clip(min=0.0) * weights
    best = near.max(axis=1)
    return _scale(best)


def _measure_centrality(vectors: "numpy.ndarray") -> "numpy.ndarray":
    if not len(vectors):
        return vectors.sum(axis=1) if vectors.ndim > 1 else vectors
    middle = vectors.mean(axis=0)
    return _scale((vectors @ middle).clip(min=0.0))


def _scale(values: "numpy.ndarray") -> "numpy.ndarray":
    """Return *values* against the highest of them: in [0, 1] where none is negative."""
    highest = float(values.max(initial=0.0))
    if highest <= 0:
        return values * 0.0
    return values / highest


def _place_of(parted: Parted, number: int) -> float:
    """Return what the place of a piece says: openings of sources and of passages weigh more."""
    piece = parted.pieces[number]
    opening = 0.5 if piece.first else 0.0
    early = math.exp(-number / (3 + len(parted.pieces) / 20))
    return opening + 0.5 * early


def _measure_exactness(text: str) -> float:
    """Return how much in a piece is exact: numbers, and words with a capital within a sentence."""
    found = len(_EXACT_WORD.findall(text))
    return 1.0 - math.exp(-found / 3)


def _share_of(document: Document, piece: Piece, text: str) -> float:
    words = count_words(text)
    share = min(1.0, (words + 1) / 7) * min(1.0, math.sqrt(60 / max(words, 1)))
    share *= _KINDS.get(piece.kind, 1.0)
    if leads_to_list(text):
        # it comes with what it announces
        return 0.0
    if document.turns:
        share *= _SPEAKERS[document.turns[piece.passage].role]
        if _ASKS.search(text):
            share *= _QUESTION_TURN
    return share
