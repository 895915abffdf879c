"""Summarise a text by its most central sentences, in their order and in their own words.

The summary consists of stretches of the original, so that it can neither invent nor distort.
Centrality is TextRank over shared words (Mihalcea & Tarau 2004), each word weighed by how rare it
is among the sentences, or over the vectors of an Embedder; neither knows the language. The same
text always has the same summary.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain, pairwise

from companion.errors import CompanionError
from companion.language.fields import title_of
from companion.language.protocols import Embedder, Identity, Summary
from companion.language.sentence_ends import find_ends
from companion.values.claims import Span
from companion.values.wording import FRONTMATTER

VERSION = "2"
# as in PageRank; 30 rounds move no score by more than 0.85^30
DAMPING, ROUNDS = 0.85, 30
# compared pair by pair; of a longer text the sentences with the rarest words compete
MAX_SENTENCES = 400
_WORD = re.compile(r"\w+(?:['\u2019-]\w+)*")
_BLOCK = re.compile(
    r"[^\n]+(?:\n(?![ \t]*(?:\n|[-*+>#|] |\d{1,6}[.)] |```|~~~|$))[^\n]+)*"
)
_HEADING = re.compile(r" {0,3}#{1,6}\s")
_FENCE = re.compile(r"^(```+|~~~+)[\s\S]*?(?:^\1|\Z)", re.MULTILINE)
_LONGEST_TITLE = 80


class BadDepth(CompanionError):
    """A summary's depth lies between 0 and 1."""

    exit_code = 2
    hint = "0 is one sentence, 1 the whole text."


class LightSummariser:
    """Summarises by word overlap, or by the vectors of *embedder* where one is given."""

    def __init__(self, embedder: Embedder | None = None) -> None:
        self._embedder = embedder
        model = ""
        if embedder is not None:
            model = str(embedder.identity)
        self.identity = Identity("light", f"summarise-{VERSION}", model)

    def summarise(self, text: str, *, depth: float) -> Summary:
        """Return a title and the share *depth* of the sentences, which lies in [0, 1].

        At 0 that is the most central sentence, at 1 the text as it is. A deeper summary has every
        sentence of a shallower one. Sentences are joined by a space, or by a line break where the
        original has one; `spans` are where they stand. Raises `BadDepth`.
        """
        if not 0.0 <= depth <= 1.0:
            raise BadDepth
        spans = _sentences(text)
        title = _title(text, spans)
        if not text:
            return Summary(title, "", ())
        if depth == 1.0 or not spans:
            return Summary(title, text, (Span(0, len(text)),))
        sentences = [text[span.start : span.end] for span in spans]
        wanted = 1 + math.floor(depth * (len(spans) - 1))
        chosen = sorted(self._sort_by_centrality(sentences)[:wanted])
        kept = tuple(spans[number] for number in chosen)
        return Summary(title, _put_together(text, kept), kept)

    def _sort_by_centrality(self, sentences: Sequence[str]) -> list[int]:
        """Return sentence numbers, the most central first; among equals the earlier."""
        bags = [Counter(_words(sentence)) for sentence in sentences]
        rarity = _rarity(bags)
        compared = _with_rarest_words(bags, rarity)
        similarities = self._similarities(
            [sentences[number] for number in compared],
            [bags[number] for number in compared],
            rarity,
        )
        scores = [0.0] * len(bags)
        for number, score in zip(compared, _rank(similarities), strict=True):
            scores[number] = round(score * _fullness(bags[number]), 9)
        return sorted(range(len(bags)), key=lambda n: (-scores[n], n))

    def _similarities(
        self,
        sentences: Sequence[str],
        bags: Sequence[Counter[str]],
        rarity: dict[str, float],
    ) -> list[list[float]]:
        """Return how alike each two sentences are, 0 for a sentence and itself."""
        if self._embedder is None:
            return _overlaps(bags, rarity)
        vectors = self._embedder.embed(list(sentences))
        table = [[0.0] * len(sentences) for _ in sentences]
        for i, one in enumerate(vectors):
            for j, other in enumerate(vectors):
                if i != j:
                    table[i][j] = max(0.0, float(one @ other))
        return table


def _with_rarest_words(
    bags: Sequence[Counter[str]], rarity: dict[str, float]
) -> list[int]:
    """Return the numbers of the MAX_SENTENCES sentences whose words are the rarest together."""
    weights = []
    for bag in bags:
        weights.append(sum(rarity[word] for word in bag))
    numbers = sorted(range(len(bags)), key=lambda n: (-weights[n], n))
    return numbers[:MAX_SENTENCES]


def _sentences(text: str) -> list[Span]:
    """Return where the sentences of *text* stand; frontmatter, code and headings are none."""
    blanked = _FENCE.sub(_blank, FRONTMATTER.sub(_blank, text, count=1))
    spans: list[Span] = []
    for block in _BLOCK.finditer(blanked):
        if _HEADING.match(block.group()):
            continue
        start = block.start()
        ends = find_ends(blanked, start, block.end())
        for end in chain(ends, [block.end()]):
            if _WORD.search(blanked, start, end):
                spans.append(_strip(blanked, start, end))
            start = end
    return spans


def _strip(text: str, start: int, end: int) -> Span:
    """Return the span without the blanks around its words."""
    part = text[start:end]
    before = len(part) - len(part.lstrip())
    return Span(start + before, start + len(part.rstrip()))


def _title(text: str, spans: Sequence[Span]) -> str:
    """Return the page's own title, or the beginning of its first sentence, whole words only."""
    own = title_of(text)
    if own or not spans:
        return own
    words = " ".join(text[spans[0].start : spans[0].end].split()).strip("-*+> ")
    if len(words) <= _LONGEST_TITLE:
        return words.rstrip(".")
    return words[:_LONGEST_TITLE].rpartition(" ")[0] or words[:_LONGEST_TITLE]


def _put_together(text: str, spans: Sequence[Span]) -> str:
    parts = [text[spans[0].start : spans[0].end]]
    for before, span in pairwise(spans):
        between = text[before.end : span.start]
        separator = " "
        if "\n" in between:
            separator = "\n"
        parts += [separator, text[span.start : span.end]]
    return "".join(parts)


def _rarity(bags: Sequence[Counter[str]]) -> dict[str, float]:
    """Return each word's inverse sentence frequency."""
    counts: Counter[str] = Counter()
    for bag in bags:
        counts.update(bag.keys())
    return {
        word: math.log((1 + len(bags)) / (0.5 + count))
        for word, count in counts.items()
    }


def _overlaps(
    bags: Sequence[Counter[str]], rarity: dict[str, float]
) -> list[list[float]]:
    """Return the cosine of each two bags of words, each word weighed by its rarity."""
    norms = [_norm(bag, rarity) for bag in bags]
    table = [[0.0] * len(bags) for _ in bags]
    for i, one in enumerate(bags):
        for j in range(i):
            other = bags[j]
            if one.keys().isdisjoint(other):
                continue
            cosine = _dot(one, other, rarity) / (norms[i] * norms[j])
            table[i][j] = cosine
            table[j][i] = cosine
    return table


def _dot(
    one: Counter[str], other: Counter[str], rarity: dict[str, float]
) -> float:
    shared = one.keys() & other.keys()
    return math.fsum(
        one[word] * other[word] * rarity[word] ** 2 for word in shared
    )


def _norm(bag: Counter[str], rarity: dict[str, float]) -> float:
    squares = sum((n * rarity[word]) ** 2 for word, n in bag.items())
    return math.sqrt(squares) or 1.0


def _rank(table: Sequence[Sequence[float]]) -> list[float]:
    """Return PageRank over a symmetric table of similarities, with uniform jumps."""
    count = len(table)
    totals = [math.fsum(row) for row in table]
    scores = [1.0 / count] * count
    for _ in range(ROUNDS):
        shares = [0.0] * count
        for n, total in enumerate(totals):
            if total:
                shares[n] = scores[n] / total
        scores = [
            (1 - DAMPING) / count + DAMPING * _weighted_sum(row, shares)
            for row in table
        ]
    return scores


def _weighted_sum(weights: Sequence[float], values: Sequence[float]) -> float:
    pairs = zip(weights, values, strict=True)
    return math.fsum(weight * value for weight, value in pairs if weight)


def _fullness(bag: Counter[str]) -> float:
    """Return how fit a sentence is for a summary by its length, in [0, 1].

    A sentence of two words is central to nothing, and one of a hundred is not a summary.
    """
    words = sum(bag.values())
    return min(1.0, words / 6) * min(1.0, 40 / max(words, 1))


def _words(sentence: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(sentence)]


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match.group())
