"""The light relater: two detectors by rule, opposition and update, on what the lexicon reads and
the vectors liken.

What it cannot judge it calls *unsure*: a language without rules, two languages, a text without
words. Its answers depend on the two statements alone, so that the same pair gets the same answer
anywhere.
"""

import re
from collections.abc import Sequence
from functools import cache, cached_property
from itertools import islice
from typing import TYPE_CHECKING

from companion.language.detect import tally
from companion.language.lexicon import fingerprint, language_of_pair, lexicon
from companion.language.protocols import Embedder, Identity
from companion.language.relations.opposition import Finding, findings, shared
from companion.language.relations.statement import Reading, key_of, read
from companion.language.relations.update import update
from companion.language.static_vectors import StaticEmbedder
from companion.values.relations import Label, Relation, Statement
from companion.values.text import FRONTMATTER

if TYPE_CHECKING:
    import numpy

VERSION = "1"
CONTRADICTS = 0.6  # opposition from which a pair is called contradictory
# mean of likeness and shared words from which the later statement supports the earlier
SUPPORTS = 0.7
LONG = 400  # characters; a longer text is judged sentence by sentence
_LOOKED_AT = 40_000  # characters of a long text in which its sentences are looked for
SENTENCES = 40  # of a long text, the first that are looked at
ALIGNED = 5  # pairs of sentences judged for one pair of long texts

_EMBED = re.compile(r"!\[\[.*?\]\]|!\[.*?\]\(.*?\)")
_WORD = re.compile(r"[^\W\d_]{2,}")
# words that a sentence of a long text has at least: "date: 2021" of two notes is no contradiction
_WORDS = 3
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_ACRONYM = re.compile(r"\b[A-Z]{2,6}\b")


class LightRelater:
    """Relater of the core install."""

    def __init__(self, embedder: Embedder | None = None) -> None:
        """Liken by *embedder*; by default the static vectors of the core install."""
        self._embedder = embedder or StaticEmbedder()

    @cached_property
    def identity(self) -> Identity:
        under = self._embedder.identity
        return Identity(
            "light", VERSION, under.model, under.weights, f'{{"lexicon":"{fingerprint()}"}}'
        )

    def relate(self, pairs: Sequence[tuple[Statement, Statement]]) -> list[Relation]:
        """Judge each (earlier, later) pair, in order; see `Relater`. Titles and times of the
        statements are not read.

        Where either text is longer than 400 characters, its first 40 sentences are aligned with the
        other's by likeness and the five best pairs judged: the work grows with the length of the
        texts and not with its square.
        """
        texts = [(earlier.text.strip(), later.text.strip()) for earlier, later in pairs]
        splits = {text: _split(text) for pair in texts for text in pair}
        batch = _Batch(
            self._embedder, {part for text, parts in splits.items() for part in (text, *parts)}
        )
        return [_judge(one, other, splits, batch) for one, other in texts]


class _Batch:
    """What is known of each text, found out once: a text is asked about with many others."""

    def __init__(self, embedder: Embedder, texts: set[str]) -> None:
        ordered = sorted(texts)
        self._rows = {text: row for row, text in enumerate(ordered)}
        self._matrix = embedder.embed([text[:_LOOKED_AT] for text in ordered])
        self.key, self.tally = cache(key_of), cache(tally)

    def of(self, texts: Sequence[str]) -> "numpy.ndarray":
        return self._matrix[[self._rows[text] for text in texts]]

    def likeness(self, one: str, other: str) -> float:
        left, right = self._matrix[self._rows[one]], self._matrix[self._rows[other]]
        return _rounded(min(1.0, max(-1.0, float(left @ right))))


def _judge(earlier: str, later: str, splits: dict[str, list[str]], batch: _Batch) -> Relation:
    similarity = batch.likeness(earlier, later)
    one, other = batch.key(earlier), batch.key(later)
    if not one or not other:
        return Relation("unsure", 0.0, "a text without words", similarity=similarity)
    if one == other:
        return Relation(
            "same", 1.0, "the same words but for case, space and punctuation", similarity=similarity
        )
    language = language_of_pair(earlier[:LONG], later[:LONG], batch.tally)
    if language is None:
        return Relation(
            "unsure", 0.0, "no rules for this language, or two languages", similarity=similarity
        )
    if max(len(earlier), len(later)) <= LONG:
        return _short(earlier, later, language, similarity)
    return _long(splits[earlier], splits[later], language, similarity, batch)


def _short(earlier: str, later: str, language: str, similarity: float) -> Relation:
    """Judge two statements of a sentence or two."""
    words = lexicon(language)
    a, b = (read(text, language) for text in _one_name(earlier, later))
    found = findings(a, b, words, similarity)
    opposition = _rounded(found[0].strength if found else 0.0)
    renewed = update(a, b, words, similarity)
    label, score = _label(a, b, words.articles, opposition, similarity)
    return Relation(
        label,
        score,
        _reason(a, b, found, renewed, similarity),
        opposition,
        _rounded(renewed.strength),
        similarity,
    )


def _label(
    a: Reading, b: Reading, articles: frozenset[str], opposition: float, similarity: float
) -> tuple[Label, float]:
    if opposition >= CONTRADICTS:
        return "contradicts", opposition
    alike = _rounded((shared(a, b) + max(similarity, 0.0)) / 2)
    if not opposition and bool(a.denied) == bool(b.denied):
        if a.order == b.order and a.values == b.values and _but_for(a, b, articles):
            return "same", max(alike, 0.5)
        if alike >= SUPPORTS:
            return "supports", alike
    return "neutral", _rounded(1 - max(opposition, alike))


def _but_for(a: Reading, b: Reading, articles: frozenset[str]) -> bool:
    # Numbers were compared by value: "3" and "three" are two words and one value.
    return (
        frozenset(
            word for word in set(a.words) ^ set(b.words) if word in a.little or word in b.little
        )
        <= articles
    )


def _reason(
    a: Reading, b: Reading, found: list[Finding], renewed: Finding, similarity: float
) -> str:
    common = f"{len(a.content & b.content)} of {max(len(a.content), len(b.content))} content words shared"
    parts = [finding.reason for finding in found] or ["no rule of opposition fires"]
    return "; ".join([*parts, common, f"likeness {similarity:.2f}", f"update: {renewed.reason}"])


def _long(
    earlier: list[str], later: list[str], language: str, similarity: float, batch: _Batch
) -> Relation:
    """Judge two texts by their best aligned sentences."""
    if not earlier or not later:
        return Relation("unsure", 0.0, "a long text without a sentence", similarity=similarity)
    aligned = _align(earlier, later, batch)
    judged = [_short(one, other, language, likeness) for likeness, one, other in aligned]
    opposed = max(judged, key=lambda r: r.opposition)
    renewed = max(relation.update for relation in judged)
    told = f"by {len(judged)} best aligned of {len(earlier)} and {len(later)} sentences: "
    label: Label
    if opposed.label == "contradicts":
        label, score, reason = opposed.label, opposed.score, opposed.reason
    elif all(relation.label in ("same", "supports") for relation in judged):
        label, score, reason = (
            "supports",
            min(relation.score for relation in judged),
            judged[0].reason,
        )
    else:
        label, score, reason = "neutral", _rounded(1 - opposed.opposition), opposed.reason
    return Relation(label, score, told + reason, opposed.opposition, renewed, similarity)


def _align(earlier: list[str], later: list[str], batch: _Batch) -> list[tuple[float, str, str]]:
    # Each sentence of either text with its likest partner; the likest pairs first. Ties go by the
    # words, not by the sides, so that opposition stays the same the other way round.
    table = batch.of(earlier) @ batch.of(later).T
    places = {(i, int(j)) for i, j in enumerate(table.argmax(axis=1))}
    places |= {(int(i), j) for j, i in enumerate(table.argmax(axis=0))}
    rows = [
        (_rounded(min(1.0, max(-1.0, float(table[i, j])))), earlier[i], later[j]) for i, j in places
    ]
    return sorted(set(rows), key=lambda row: (-row[0], sorted(row[1:]), row[1:]))[:ALIGNED]


def _split(text: str) -> list[str]:
    """Return the sentences of a long text, at most 40 of at most 400 characters each; a short one
    is not split.

    Frontmatter, embedded images and lines of a word or two state nothing and are left out.
    """
    if len(text) <= LONG:
        return [text] if text else []
    start = FRONTMATTER.match(text[:_LOOKED_AT])
    body = _EMBED.sub(" ", text[start.end() if start else 0 :][:_LOOKED_AT])
    parts = (part.strip()[:LONG] for part in _SENTENCE.split(body))
    return list(islice((part for part in parts if len(_WORD.findall(part)) >= _WORDS), SENTENCES))


def _one_name(earlier: str, later: str) -> tuple[str, str]:
    """Return both texts with a name spelled out in one ("New York City") written as in the other
    ("NYC").
    """
    return _shortened(earlier, later), _shortened(later, earlier)


def _shortened(text: str, beside: str) -> str:
    for acronym in sorted(set(_ACRONYM.findall(beside))):
        spelled = r"\b" + r"\s+".join(rf"{letter}[^\W\d_]+" for letter in acronym) + r"\b"
        text = re.sub(spelled, acronym, text)
    return text


def _rounded(value: float) -> float:
    return round(value, 6) + 0.0
