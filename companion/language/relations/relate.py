"""The light relater: opposition and update by rule, on what the lexicon and the vectors say.

What it cannot judge it calls *unsure*: a language without rules, two languages, a text without
words. Its answers depend on the two statements alone, so that the same pair gets the same answer
anywhere.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from companion.language.lexicon import (
    fingerprint,
    language_of_pair,
    lexicon_of,
    tally_once,
)
from companion.language.measurements import (
    find_difference,
    read_named_number,
)
from companion.language.protocols import Embedder, Identity
from companion.language.relations.opposition import (
    Finding,
    find_opposition,
    share_in_common,
)
from companion.language.relations.statement import (
    Reading,
    key_of,
    read_statement,
)
from companion.language.relations.update import find_update, has_come_about
from companion.language.sentence_ends import split_lines
from companion.language.vectors.static_vectors import StaticEmbedder
from companion.values.relations import Label, Relation, Statement
from companion.values.wording import FRONTMATTER

if TYPE_CHECKING:
    import numpy

VERSION = "6"
CONTRADICTS = 0.6  # opposition from which a pair is called contradictory
# mean of likeness and shared words from which the later statement supports the earlier
SUPPORTS = 0.7
LONG = 400  # characters; a longer text is judged sentence by sentence
SENTENCES = 40  # of a long text, the first that are looked at
ALIGNED = 5  # pairs of sentences judged for one pair of long texts

# characters of a long text in which its sentences are looked for
_LOOKED_AT = 40_000
# words that a sentence of a long text has at least: "date: 2021" of two notes is no contradiction
_MIN_WORDS = 3
# "![[plan.png]]", "![a plan](plan.png)"
_EMBED = re.compile(r"!\[\[.*?\]\]|!\[.*?\]\(.*?\)")
_WORD = re.compile(r"[^\W\d_]{2,}")
_ACRONYM = re.compile(r"\b[A-Z]{2,6}\b")


class LightRelater:
    """Relater of the core install."""

    def __init__(self, embedder: Embedder | None = None) -> None:
        """Measure likeness by *embedder*; by default the static vectors of the core install."""
        self._embedder = embedder or StaticEmbedder()

    @cached_property
    def identity(self) -> Identity:
        """Return the rules' version, the vectors and the fingerprint of the word lists."""
        under = self._embedder.identity
        parameters = f'{{"lexicon":"{fingerprint()}"}}'
        return Identity(
            "light", VERSION, under.model, under.weights, parameters
        )

    def relate(
        self, pairs: Sequence[tuple[Statement, Statement]]
    ) -> list[Relation]:
        """Judge each (earlier, later) pair, in order; see `Relater`.

        Titles and times of the statements are not read. Where either text is longer than 400
        characters, its first 40 sentences are aligned with the other's by likeness and the five
        best pairs judged: the work grows with the length of the texts and not with its square.
        """
        texts: list[tuple[str, str]] = []
        for earlier, later in pairs:
            texts.append((earlier.text.strip(), later.text.strip()))
        batch = _Batch(self._embedder, _split_all(texts))
        return [_judge(earlier, later, batch) for earlier, later in texts]


class _Batch:
    """Texts to be judged, with what is computed once for each: many pairs share a text."""

    def __init__(
        self, embedder: Embedder, sentences: dict[str, list[str]]
    ) -> None:
        """Embed the texts and their *sentences*."""
        ordered = sorted({*sentences, *_parts(sentences)})
        self.sentences = sentences
        self.key = cache(key_of)
        self.measurement = cache(read_named_number)
        self._rows = {text: row for row, text in enumerate(ordered)}
        self._matrix = embedder.embed([text[:_LOOKED_AT] for text in ordered])

    def vectors(self, texts: Sequence[str]) -> "numpy.ndarray":
        """Return the vectors of *texts*, float32, shape (len(texts), dimensions)."""
        return self._matrix[[self._rows[text] for text in texts]]

    def likeness(self, one: str, other: str) -> float:
        """Return the cosine of two texts, in [-1, 1]."""
        left, right = self.vectors([one, other])
        return _cosine(float(left @ right))


class _Aligned(NamedTuple):
    """A sentence of either text, each the likest to the other."""

    likeness: float
    earlier: str
    later: str


def _split_all(pairs: list[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the sentences of each text of *pairs*."""
    sentences: dict[str, list[str]] = {}
    for pair in pairs:
        for text in pair:
            if text not in sentences:
                sentences[text] = _split(text)
    return sentences


def _parts(sentences: dict[str, list[str]]) -> Iterator[str]:
    for parts in sentences.values():
        yield from parts


def _judge(earlier: str, later: str, batch: _Batch) -> Relation:
    similarity = batch.likeness(earlier, later)
    key = batch.key(earlier)
    other_key = batch.key(later)
    if not key or not other_key:
        return _unsure("a text without words", similarity)
    if key == other_key:
        reason = "the same words but for case, space and punctuation"
        return Relation("same", 1.0, reason, similarity=similarity)
    if _are_one_series(earlier, later, batch):
        reason = "two values of one quantity, each told at its own time"
        return Relation("neutral", 1.0, reason, similarity=similarity)
    language = language_of_pair(earlier[:LONG], later[:LONG], tally_once)
    if language is None:
        reason = "no rules for this language, or two languages"
        return _unsure(reason, similarity)
    if max(len(earlier), len(later)) <= LONG:
        return _judge_short(earlier, later, language, similarity)
    return _judge_long(earlier, later, language, similarity, batch)


def _are_one_series(earlier: str, later: str, batch: _Batch) -> bool:
    one = batch.measurement(earlier)
    other = batch.measurement(later)
    if one is None or other is None:
        return False
    return find_difference(one, other) == ""


def _unsure(reason: str, similarity: float) -> Relation:
    return Relation("unsure", 0.0, reason, similarity=similarity)


def _judge_short(
    earlier: str, later: str, language: str, similarity: float
) -> Relation:
    """Judge two statements of a sentence or two."""
    lexicon = lexicon_of(language)
    a = read_statement(_with_acronyms(earlier, later), language)
    b = read_statement(_with_acronyms(later, earlier), language)
    findings = find_opposition(a, b, lexicon, similarity)
    if has_come_about(a, b):
        findings = [one for one in findings if one.rule != "negation"]
    opposition = 0.0
    if findings:
        opposition = _rounded(findings[0].strength)
    update = find_update(a, b, lexicon, similarity)
    label, score = _label(a, b, lexicon.articles, opposition, similarity)
    reason = _reason(a, b, findings, update, similarity)
    return Relation(
        label, score, reason, opposition, _rounded(update.strength), similarity
    )


def _label(
    a: Reading,
    b: Reading,
    articles: frozenset[str],
    opposition: float,
    similarity: float,
) -> tuple[Label, float]:
    """Return how two statements stand to each other, and how surely."""
    if opposition >= CONTRADICTS:
        return "contradicts", opposition
    alike = _rounded((share_in_common(a, b) + max(similarity, 0.0)) / 2)
    if not opposition and bool(a.denials) == bool(b.denials):
        if _say_the_same(a, b, articles):
            return "same", max(alike, 0.5)
        if alike >= SUPPORTS:
            return "supports", alike
    return "neutral", _rounded(1 - max(opposition, alike))


def _say_the_same(a: Reading, b: Reading, articles: frozenset[str]) -> bool:
    """Tell whether two statements differ in articles alone, if at all."""
    if a.order != b.order or a.values != b.values:
        return False
    # Numbers were compared by value: "3" and "three" are two words and one value.
    little = a.little | b.little
    return little.intersection(set(a.words) ^ set(b.words)) <= articles


def _reason(
    a: Reading,
    b: Reading,
    findings: list[Finding],
    update: Finding,
    similarity: float,
) -> str:
    shared = len(a.content & b.content)
    longest = max(len(a.content), len(b.content))
    parts = [finding.reason for finding in findings] or [
        "no rule of opposition fires"
    ]
    parts.append(f"{shared} of {longest} content words shared")
    parts.append(f"likeness {similarity:.2f}")
    parts.append(f"update: {update.reason}")
    return "; ".join(parts)


def _judge_long(
    earlier: str, later: str, language: str, similarity: float, batch: _Batch
) -> Relation:
    """Judge two texts by their best aligned sentences."""
    sentences = batch.sentences[earlier]
    others = batch.sentences[later]
    if not sentences or not others:
        return _unsure("a long text without a sentence", similarity)
    relations: list[Relation] = []
    for likeness, one, other in _align(sentences, others, batch):
        relations.append(_judge_short(one, other, language, likeness))
    verdict = _verdict_on(relations)
    counts = f"{len(relations)} best aligned of {len(sentences)} and {len(others)} sentences"
    return verdict._replace(
        reason=f"by {counts}: {verdict.reason}",
        opposition=max(relation.opposition for relation in relations),
        update=max(relation.update for relation in relations),
        similarity=similarity,
    )


def _verdict_on(relations: list[Relation]) -> Relation:
    """Return the label, score and reason that the relations of aligned sentences have together."""
    opposed = max(relations, key=lambda relation: relation.opposition)
    if opposed.label == "contradicts":
        return opposed
    if all(relation.label in ("same", "supports") for relation in relations):
        score = min(relation.score for relation in relations)
        return Relation("supports", score, relations[0].reason)
    score = _rounded(1 - opposed.opposition)
    return Relation("neutral", score, opposed.reason)


def _align(
    earlier: list[str], later: list[str], batch: _Batch
) -> list[_Aligned]:
    """Return each sentence of either text with its likest partner, the likest pairs first.

    Ties go by the words, not by the sides, so that opposition stays the same the other way round.
    """
    table = batch.vectors(earlier) @ batch.vectors(later).T
    places: set[tuple[int, int]] = set()
    for row, column in enumerate(table.argmax(axis=1)):
        places.add((row, int(column)))
    for column, row in enumerate(table.argmax(axis=0)):
        places.add((int(row), column))
    pairs: set[_Aligned] = set()
    for row, column in places:
        likeness = _cosine(float(table[row, column]))
        pairs.add(_Aligned(likeness, earlier[row], later[column]))
    return sorted(pairs, key=_alignment_order)[:ALIGNED]


def _alignment_order(
    pair: _Aligned,
) -> tuple[float, list[str], tuple[str, str]]:
    words = (pair.earlier, pair.later)
    return -pair.likeness, sorted(words), words


def _split(text: str) -> list[str]:
    """Return the sentences of a long text, at most 40 of at most 400 characters each.

    A short text is not split. Frontmatter, embedded images and lines of a word or two state nothing
    and are left out.
    """
    if not text:
        return []
    if len(text) <= LONG:
        return [text]
    start = 0
    front = FRONTMATTER.match(text[:_LOOKED_AT])
    if front is not None:
        start = front.end()
    body = text[start : start + _LOOKED_AT]
    return list(islice(_stating_parts(_EMBED.sub(" ", body)), SENTENCES))


def _stating_parts(body: str) -> Iterator[str]:
    for part in split_lines(body):
        sentence = part.strip()[:LONG]
        if len(_WORD.findall(sentence)) >= _MIN_WORDS:
            yield sentence


def _with_acronyms(text: str, beside: str) -> str:
    """Return *text* with names written as *beside* has them: "NYC" for "New York City"."""
    for acronym in sorted(set(_ACRONYM.findall(beside))):
        words = [rf"{letter}[^\W\d_]+" for letter in acronym]
        text = re.sub(r"\b" + r"\s+".join(words) + r"\b", acronym, text)
    return text


def _cosine(value: float) -> float:
    """Return a product of unit vectors without what rounding adds beyond [-1, 1]."""
    return _rounded(min(1.0, max(-1.0, value)))


def _rounded(value: float) -> float:
    return round(value, 6) + 0.0
