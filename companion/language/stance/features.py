"""The features of a pair: likeness, alignment of words, and the findings of the rules.

Every number is of the pair and not of one side alone, as far as it can be: a note must not be
judged by its tone.
"""

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.language.lexicon import Lexicon, language_of_pair, lexicon_of
from companion.language.relations.opposition import (
    count_opposites,
    differing_kinds,
    share_in_common,
)
from companion.language.relations.statement import Reading, read_statement
from companion.language.stance.passages import matter_of, words_of
from companion.values.relations import Relation

if TYPE_CHECKING:
    import numpy

#: changes with any of these functions: a head is of one version
VERSION = "2"
_ALIKE = 0.55  # cosine from which a word has a partner in the other text
_SAME = 0.97
_BEGINNING = 5  # letters
_RULE_LABELS = ("same", "supports", "contradicts", "unsure")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_READ_BY_RULE = 8  # numbers that `_by_rule` gives


class Passage(NamedTuple):
    """A passage, and the vectors of what is in it."""

    text: str
    vector: "numpy.ndarray"  # of the whole, by the head's embedder
    words: tuple[str, ...]  # those that carry matter, in their order
    vectors: "numpy.ndarray"  # unit vectors of these words, (words, 256)
    weights: "numpy.ndarray"  # how much each word tells, (words,)
    numbers: frozenset[str]


def find_words(text: str) -> list[str]:
    """Return the words of a passage that carry matter, in lower case."""
    return [word.text for word in matter_of(words_of(text))]


def find_numbers(text: str) -> frozenset[str]:
    """Return the numbers that a passage gives in digits."""
    return frozenset(_NUMBER.findall(text))


def describe(
    earlier: Passage, later: Passage, title: Passage, relation: Relation
) -> "numpy.ndarray":
    """Return what is seen of a pair, float32, shape (numbers,).

    *title* is that of the page of the earlier passage, and *relation* what the rules say.
    """
    import numpy

    seen = [
        *_by_alignment(earlier, later),
        *_by_beginnings(earlier, later),
        *_by_number(earlier, later),
        *_by_title(title, earlier, later),
        *_by_relation(relation),
        *_by_rule(earlier.text, later.text),
        *_by_length(earlier, later),
    ]
    return numpy.asarray(seen, dtype=numpy.float32)


def cross(earlier: "numpy.ndarray", later: "numpy.ndarray") -> "numpy.ndarray":
    """Return how two vectors of the same length d stand to each other, shape (2 d,)."""
    import numpy

    return numpy.concatenate([numpy.abs(earlier - later), earlier * later])


def _by_alignment(earlier: Passage, later: Passage) -> list[float]:
    """Return how far the words of either text have a partner in the other."""
    whole = float(earlier.vector @ later.vector)
    if not earlier.words or not later.words:
        return [whole] + [0.0] * 14
    table = earlier.vectors @ later.vectors.T
    of_later = table.max(axis=0)
    of_earlier = table.max(axis=1)
    return [
        whole,
        *_partners(of_later, later.weights),
        *_partners(of_earlier, earlier.weights),
        *_remainders(earlier, later, of_earlier, of_later),
    ]


def _partners(best: "numpy.ndarray", weights: "numpy.ndarray") -> list[float]:
    """Return mean likeness, share with a partner, share with the same word, and the strongest."""
    import numpy

    total = float(weights.sum()) or 1.0
    alike = best >= _ALIKE
    same = best >= _SAME
    return [
        float(best @ weights) / total,
        float(weights[alike].sum()) / total,
        float(weights[same].sum()) / total,
        float(numpy.sum(same)),
        float(weights[same].max(initial=0.0)) / 10,
    ]


def _remainders(
    earlier: Passage,
    later: Passage,
    of_earlier: "numpy.ndarray",
    of_later: "numpy.ndarray",
) -> list[float]:
    """Return how the words without a partner stand to each other and to the other text."""
    left = _sum(earlier, of_earlier < _ALIKE)
    right = _sum(later, of_later < _ALIKE)
    common = _sum(earlier, of_earlier >= _ALIKE)
    return [
        _cosine(left, right),
        _cosine(left, common),
        _cosine(right, common),
        _cosine(right, left + common),
    ]


def _sum(passage: Passage, chosen: "numpy.ndarray") -> "numpy.ndarray":
    weighted = passage.vectors[chosen] * passage.weights[chosen, None]
    total: numpy.ndarray = weighted.sum(axis=0)
    return total


def _cosine(one: "numpy.ndarray", other: "numpy.ndarray") -> float:
    lengths = math.sqrt(float(one @ one) * float(other @ other))
    if lengths < 1e-9:
        return 0.0
    return float(one @ other) / lengths


def _by_beginnings(earlier: Passage, later: Passage) -> list[float]:
    """Return how far words begin alike: forms and compounds that no vector brings together."""
    one = _beginnings(earlier)
    other = _beginnings(later)
    shared = sum(min(one[key], other[key]) for key in one.keys() & other.keys())
    strongest = max((one[key] for key in one.keys() & other.keys()), default=0)
    return [
        shared / (sum(other.values()) or 1.0),
        shared / (sum(one.values()) or 1.0),
        shared / 20,
        strongest / 10,
    ]


def _beginnings(passage: Passage) -> dict[str, float]:
    """Return the first letters of each word, with how much the word tells."""
    found: dict[str, float] = {}
    for word, weight in zip(passage.words, passage.weights, strict=True):
        key = word[:_BEGINNING]
        found[key] = max(found.get(key, 0.0), float(weight))
    return found


def _by_number(earlier: Passage, later: Passage) -> list[float]:
    """Return how the numbers in digits of both texts stand to each other."""
    one, other = earlier.numbers, later.numbers
    shared = len(one & other)
    both = bool(one) and bool(other)
    return [
        float(both and not shared),
        float(shared > 0),
        float(bool(one) and not other),
        float(bool(other) and not one),
        min(3.0, len(one)) * min(3.0, len(other)) / 9,
    ]


def _by_title(title: Passage, earlier: Passage, later: Passage) -> list[float]:
    """Return how far either text names what its page is about."""
    return [_names(title, earlier), _names(title, later)]


def _names(title: Passage, text: Passage) -> float:
    if not title.words or not text.words:
        return 0.0
    best = (title.vectors @ text.vectors.T).max(axis=1)
    total = float(title.weights.sum()) or 1.0
    return float(best @ title.weights) / total


def _by_relation(relation: Relation) -> list[float]:
    """Return what the rules say of the pair."""
    labels = [float(relation.label == label) for label in _RULE_LABELS]
    return [
        relation.opposition,
        relation.update,
        relation.similarity,
        *labels,
    ]


def _by_rule(earlier: str, later: str) -> list[float]:
    """Return what the rules' reading of both texts gives; zeros without rules for the language."""
    language = language_of_pair(earlier, later)
    if language is None:
        return [0.0] * _READ_BY_RULE
    lexicon = lexicon_of(language)
    one = read_statement(earlier, language)
    other = read_statement(later, language)
    return [
        float(bool(one.denials) != bool(other.denials)),
        float(bool(one.denials) and bool(other.denials)),
        _denied_share(one, other) - _denied_share(other, one),
        _denied_share(one, other) + _denied_share(other, one),
        min(2.0, count_opposites(one, other, lexicon)),
        share_in_common(one, other),
        float(bool(differing_kinds(one, other))),
        _change(one, other, lexicon),
    ]


def _denied_share(one: Reading, other: Reading) -> float:
    """Return the largest share of a denial of *one* that *other* says."""
    shares = [
        len(stems & other.stems) / len(stems) for stems in one.denials if stems
    ]
    return max(shares, default=0.0)


def _change(one: Reading, other: Reading, lexicon: Lexicon) -> float:
    """Return how much more of change the later text says than the earlier one."""
    adds = not lexicon.adding.isdisjoint(other.words)
    return min(2.0, other.changes) - min(2.0, one.changes) - 0.5 * adds


def _by_length(earlier: Passage, later: Passage) -> Sequence[float]:
    one = math.log1p(len(earlier.words))
    other = math.log1p(len(later.words))
    return [one + other, one - other, float(later.text.rstrip().endswith("?"))]
