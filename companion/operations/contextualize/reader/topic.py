"""The topic of a source, and how near a text of the reader is to it.

A topic is its telling words: how often they stand there, and how much they tell by the length of
their vectors. A text is near by the words that it shares, compared without their endings, and by
the cosine of its vector with the nearest stretch of the source. Pure.
"""

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.language.vectors.static_vectors import StaticEmbedder
from companion.operations.contextualize.fitting.terms import Terms
from companion.operations.contextualize.values import Topic
from companion.sources.document import Document
from companion.storage.index.terms import split_words
from companion.subjects.words import list_telling_words

if TYPE_CHECKING:
    import numpy

# a text counts as near from this nearness on
NEAR = 0.20
# words of a topic
_MOST_WORDS = 60
# stretches of a source that texts are held against, and characters of each
_MOST_STRETCHES = 48
_STRETCH = 500
_SHORTEST = 40
# characters of a stretch that its words are counted in
_READ = 4_000
_TITLE = 3  # a word of the title counts as often
# lengths of the vectors of words that tell nothing, and of those that tell all they can
_LITTLE, _MUCH = 8.0, 20.0
# cosines of what has nothing to do with the source, and of what is surely about it
_FAR, _CLOSE = 0.20, 0.55
_BY_VECTOR, _BY_WORDS = 0.6, 0.4


class SourceTopic(NamedTuple):
    """A topic, and what texts are held against."""

    topic: Topic
    terms: Terms
    weights: dict[str, float]  # by term
    vectors: "numpy.ndarray"  # of stretches, (n, d)

    def measure(
        self, texts: Sequence[str], embedder: StaticEmbedder
    ) -> list[float]:
        """Return how near each of *texts* is to the source, in [0, 1]."""
        if not texts or not len(self.vectors):
            return [0.0] * len(texts)
        cosines = (embedder.embed(texts) @ self.vectors.T).max(axis=1)
        heaviest = sorted(self.weights.values(), reverse=True)[:2]
        enough = sum(heaviest) or 1.0
        near = []
        for text, cosine in zip(texts, cosines.round(3), strict=True):
            shared = sum(
                self.weights.get(term, 0.0)
                for term in set(self.terms.split(text))
            )
            by_words = min(1.0, shared / enough)
            by_vector = (float(cosine) - _FAR) / (_CLOSE - _FAR)
            by_vector = min(1.0, max(0.0, by_vector))
            near.append(round(_BY_VECTOR * by_vector + _BY_WORDS * by_words, 3))
        return near


def read_topic(document: Document, embedder: StaticEmbedder) -> SourceTopic:
    """Return what *document* is about; of a long one, stretches from beginning to end are read."""
    stretches = _list_stretches(document)
    text = "\n".join(stretch[:_READ] for stretch in stretches)
    terms = Terms(text)
    telling = list_telling_words(f"{document.title}\n{text}")
    counts = Counter(split_words(text))
    for word in split_words(document.title):
        counts[word] += _TITLE
    weights: dict[str, float] = {}
    lengths = embedder.measure_words(telling)
    for word, length in zip(telling, lengths, strict=True):
        tells = min(1.0, max(0.0, (length - _LITTLE) / (_MUCH - _LITTLE)))
        weights[word] = math.log(1 + counts[word]) * tells
    best = sorted(weights, key=lambda word: (-weights[word], word))
    best = [word for word in best[:_MOST_WORDS] if weights[word] > 0]
    by_term: dict[str, float] = {}
    for word in best:
        for term in terms.split(word):
            by_term[term] = max(by_term.get(term, 0.0), weights[word])
    topic = Topic(tuple(best), tuple(round(weights[word], 4) for word in best))
    openings = [stretch[:_STRETCH] for stretch in stretches]
    return SourceTopic(topic, terms, by_term, embedder.embed(openings))


def _list_stretches(document: Document) -> list[str]:
    """Return the title and stretches of the source at even distances."""
    units = [passage.text for passage in document.passages]
    units += [turn.text for turn in document.turns]
    units += [memory.text for memory in document.memories]
    long = [unit for unit in units if len(unit) >= _SHORTEST] or units
    step = max(1, -(-len(long) // _MOST_STRETCHES))
    stretches = long[::step]
    if document.title:
        stretches.insert(0, document.title)
    return [stretch for stretch in stretches if stretch.strip()]
