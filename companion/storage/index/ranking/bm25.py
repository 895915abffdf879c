"""BM25 as FTS5 computes it, for texts that are not in its index. On the hot path of a search."""

import math
from collections.abc import Iterable, Sequence

from companion.storage.index.ranking.query import Phrase, Statistics

TITLE_WEIGHT = 5.0
_K1, _B = 1.2, 0.75


def score_bm25(
    title: Sequence[str],
    body: Sequence[str],
    phrases: Iterable[Phrase],
    stats: Statistics,
) -> float:
    """Return the BM25 score of one document, as FTS5 computes it: 0 or more, unbounded."""
    average = max(1.0, stats.tokens / max(1, stats.docs))
    length = _K1 * (1 - _B + _B * (len(title) + len(body)) / average)
    score = 0.0
    for phrase in phrases:
        count = TITLE_WEIGHT * count_phrase(title, phrase)
        count += count_phrase(body, phrase)
        n = stats.frequency[phrase]
        idf = max(1e-6, math.log((stats.docs - n + 0.5) / (n + 0.5)))
        score += idf * count * (_K1 + 1) / (count + length)
    return score


def count_phrase(text: Sequence[str], phrase: Phrase) -> int:
    """Return how often the words of *phrase* stand together in *text*."""
    if len(phrase) == 1:
        return text.count(phrase[0])
    size = len(phrase)
    return sum(
        tuple(text[at : at + size]) == phrase
        for at in range(len(text) - size + 1)
    )
