"""Who asks how many wants the number that holds now: of two told of one matter the later one.

A note may speak of several things, so sentences are compared and not notes: of each note the one
with a number that has most of the question's telling words, by how rare they are. What one speaker
told later stands above what they told before, where its sentence has half as much of the question.
On the hot path of a search that asks for an amount.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from companion.language.words import snowball
from companion.storage.index.ranking.later import asks_of_the_past
from companion.storage.index.ranking.query import Query
from companion.storage.index.search.hits import Hit
from companion.storage.index.terms import split_words
from companion.tuples import NamedTuple

REACH = 10  # results of which a later one may pass an earlier one
_FIRST = 3  # results that it may pass
# of the question's words by their rarity, what the later sentence has (ADR 305)
LEAST = 0.5
# of what the earlier sentence has, what the later one has
SHARE = 0.5
_SENTENCES = 60  # of one note that are read
_ABOVE = 1e-3
_END = re.compile(r"(?<=[.!?])\s+|\n+")


def _split(words: str) -> frozenset[str]:
    return frozenset(words.split())


#: words that ask for an amount alone, and those that do so before another
_AMOUNT = _split(
    "combien cuanta cuantas cuanto cuantos hoeveel quante quanti quanto"
    " wieviel wieviele"
)
_HOW = _split("how wie hoe")
_MANY = _split(
    "many much often long old far tall high"
    " viel viele vielen oft lange alt weit gross hoch"
    " vaak lang oud ver"
)
_ASKING = _AMOUNT | _HOW | _MANY
# without those that are articles, too
_NUMBERS = _split(
    "one two three four five six seven eight nine ten eleven twelve dozen half"
    " once twice twenty thirty hundred thousand"
    " zwei drei vier funf sechs sieben acht neun zehn elf zwolf"
    " einmal zweimal dreimal halb zwanzig dreissig hundert tausend"
    " deux trois quatre cinq sept huit neuf dix onze douze vingt cent"
    " dos tres cuatro cinco seis siete ocho nueve diez once doce veinte"
    " due tre quattro cinque sei sette otto nove dieci venti cento"
    " twee drie vijf zes zeven tien twaalf twintig honderd"
)
_DIGIT = re.compile(r"\d")


def asks_for_amount(words: Sequence[str]) -> bool:
    """Tell whether a question of the folded *words* asks how much or how many there is now."""
    if asks_of_the_past(words):
        return False
    pairs = pairwise(words)
    return not _AMOUNT.isdisjoint(words) or any(
        one in _HOW and other in _MANY for one, other in pairs
    )


class _Asked(NamedTuple):
    """A telling word of a question: its stems, and how much it says."""

    stems: Sequence[tuple[str, ...]]
    weight: float


def lift_later_amounts(
    hits: Sequence[Hit],
    query: Query,
    weights: Mapping[str, float],
    texts: Sequence[str],
) -> list[Hit]:
    """Return *hits*, the best first, with each later amount above the earlier one of its matter.

    *texts* are the words of the first of them, *weights* how much each telling word says.
    """
    shares = [_measure(text, query, weights) for text in texts]
    shown = list(range(len(texts)))
    moved: set[int] = set()
    for one in range(min(_FIRST, len(texts))):
        above = shown.index(one)
        later = [
            other
            for other in shown[above + 1 :]
            if other not in moved
            and _is_told_later(hits[one], hits[other])
            and shares[other] >= max(LEAST, SHARE * shares[one])
        ]
        if later:
            newest = max(later, key=lambda other: hits[other].time or "")
            shown.remove(newest)
            shown.insert(above, newest)
            moved.add(newest)
    return _lift([hits[place] for place in shown]) + list(hits[len(texts) :])


def _is_told_later(one: Hit, other: Hit) -> bool:
    """Tell whether who told *one* told *other* later."""
    if one.time is None or other.time is None:
        return False
    return other.speaker == one.speaker and other.time > one.time


def _lift(hits: Sequence[Hit]) -> list[Hit]:
    """Return *hits* with scores in their order; what was lifted says by how much."""
    lifted: list[Hit] = []
    least = float("-inf")
    for hit in reversed(hits):
        if hit.score <= least:
            lift = least - hit.score + _ABOVE
            parts = (*hit.parts, ("later amount", lift))
            hit = hit._replace(score=hit.score + lift, parts=parts)
        lifted.append(hit)
        least = hit.score
    return lifted[::-1]


def _measure(text: str, query: Query, weights: Mapping[str, float]) -> float:
    """Return how much of the question the best sentence with a number has, from 0 to 1."""
    asked = [
        _Asked(stems, max(weights.get(word, 0.0) for word in phrase))
        for phrase, stems in query.telling.items()
        if _ASKING.isdisjoint(phrase)
    ]
    whole = sum(one.weight for one in asked)
    best = 0.0
    for sentence in _END.split(text)[:_SENTENCES]:
        words = split_words(sentence)
        if _has_number(words):
            best = max(best, _add_weights(words, query.languages, asked))
    return best / whole if whole else 0.0


def _has_number(words: Sequence[str]) -> bool:
    return not _NUMBERS.isdisjoint(words) or any(map(_DIGIT.match, words))


def _add_weights(
    words: Sequence[str], languages: Sequence[str], asked: Sequence[_Asked]
) -> float:
    """Return how much the words of *asked* say that are among *words*."""
    stems: set[str] = set()
    for language in languages:
        stems.update(snowball.stem_words(list(words), language))
    return sum(one.weight for one in asked if _has_any(stems, one.stems))


def _has_any(stems: set[str], phrases: Sequence[tuple[str, ...]]) -> bool:
    return any(stems.issuperset(phrase) for phrase in phrases)
