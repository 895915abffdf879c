"""Measure what rules, features and heads make of the pairs of one split."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from companion.language.protocols import Embedder
from companion.language.relations.relate import LightRelater
from companion.language.stance.head import Head
from companion.language.stance.read import Question, StanceReader
from companion.language.stance.stance import LABELS
from companion.values.relations import Statement
from tests.bench.stance.corpus import Pair
from tests.bench.stance.figures import (
    Night,
    Point,
    area,
    calibration_error,
    curve,
    share,
)
from tests.bench.stance.training import Rows, fit

Array = NDArray[numpy.float32]
#: questions → one row of shares each, in the order of LABELS
Judge = Callable[[Sequence[Question]], Array]
NEAREST = 16  # statements that a night holds a note against


class Figures(NamedTuple):
    """What a judge reaches on one split."""

    areas: dict[str, float]  # each label against the others
    languages: dict[str, float]  # of contradicts, by language
    difficulties: dict[str, float]  # of contradicts, by difficulty
    accuracy: float  # of the likeliest label
    calibration: float  # mean distance of confidence and truth
    curve: list[Point]


def judge_by_head(
    reader: StanceReader, head: Head, *, blind: str = ""
) -> Judge:
    """Return the judge that *head* is on what *reader* sees, without what it is *blind* to."""

    def judge(questions: Sequence[Question]) -> Array:
        crossed, seen = reader.describe(questions)
        found: Array = head.judge(*without(blind, crossed, seen))
        return found

    return judge


def fit_blind(blind: str, rows: Rows) -> Head:
    """Return a head, without calibration, that was trained on *rows* without one part."""
    crossed, seen = without(blind, rows.crossed, rows.seen)
    return fit(rows._replace(crossed=crossed, seen=seen), "")


def without(blind: str, crossed: Array, seen: Array) -> tuple[Array, Array]:
    """Return both, with zeros for "vectors" or for "features"."""
    if blind == "vectors":
        return numpy.zeros_like(crossed), seen
    if blind == "features":
        return crossed, numpy.zeros_like(seen)
    return crossed, seen


def judge_by_rules(questions: Sequence[Question]) -> Array:
    """Return what the rules alone say: opposition, update, support; what is left is unrelated."""
    pairs = [
        (Statement(question.earlier), Statement(question.later))
        for question in questions
    ]
    rows = []
    for relation in LightRelater().relate(pairs):
        supports = relation.label in ("same", "supports")
        said = [relation.opposition, relation.update, float(supports), 0, 0]
        rows.append([*said, max(0.0, 1 - sum(said))])
    found = numpy.asarray(rows, dtype=numpy.float32)
    shares: Array = found / found.sum(axis=1, keepdims=True)
    return shares


def measure(pairs: Sequence[Pair], judge: Judge, embedder: Embedder) -> Figures:
    """Return what *judge* reaches on *pairs*; a night chooses statements by *embedder*."""
    questions = [Question(0, pair.page, pair.old, pair.new) for pair in pairs]
    shares = judge(questions)
    labels = numpy.asarray([LABELS.index(pair.label) for pair in pairs])
    likeliest = shares.argmax(axis=1)
    return Figures(
        areas={
            label: area(shares[:, column], labels == column)
            for column, label in enumerate(LABELS)
        },
        languages=_areas_by([pair.lang for pair in pairs], shares, labels),
        difficulties=_areas_by([pair.how for pair in pairs], shares, labels),
        accuracy=share(likeliest == labels),
        calibration=calibration_error(shares.max(axis=1), likeliest == labels),
        curve=curve(night_of(pairs, judge, embedder)),
    )


def _areas_by(
    groups: Sequence[str], shares: Array, labels: NDArray[numpy.int64]
) -> dict[str, float]:
    """Return the area of contradicts in each of *groups*."""
    named = numpy.asarray(groups)
    column = LABELS.index("contradicts")
    return {
        group: area(
            shares[named == group, column], labels[named == group] == column
        )
        for group in sorted(set(groups))
    }


def night_of(pairs: Sequence[Pair], judge: Judge, embedder: Embedder) -> Night:
    """Hold each note against the statements of its domain that are nearest to it.

    Only the first statement of each note makes the wiki: the second one would often contradict it.
    """
    by_domain: dict[str, list[Pair]] = {}
    for pair in pairs:
        if not pair.again:
            by_domain.setdefault(pair.domain, []).append(pair)
    nights = [_night(found, judge, embedder) for found in by_domain.values()]
    return Night(
        *(numpy.concatenate(parts) for parts in zip(*nights, strict=True))
    )


def _night(pairs: Sequence[Pair], judge: Judge, embedder: Embedder) -> Night:
    """Return the night of one domain."""
    notes = sorted({pair.new for pair in pairs})
    olds = embedder.embed([pair.old for pair in pairs])
    order = numpy.argsort(
        -embedder.embed(notes) @ olds.T, axis=1, kind="stable"
    )
    nearest = order[:, :NEAREST]
    questions = [
        Question(0, pairs[at].page, pairs[at].old, note)
        for note, places in zip(notes, nearest, strict=True)
        for at in places
    ]
    column = LABELS.index("contradicts")
    scores = judge(questions)[:, column].reshape(nearest.shape)
    best = scores.argmax(axis=1)
    contradicted = [_contradicted(pairs, note) for note in notes]
    right = []
    for row, pages in enumerate(contradicted):
        right.append(pairs[nearest[row, best[row]]].page in pages)
    return Night(
        scores.max(axis=1).astype(numpy.float64),
        numpy.asarray(right),
        numpy.asarray([bool(pages) for pages in contradicted]),
    )


def _contradicted(pairs: Sequence[Pair], note: str) -> set[str]:
    """Return the pages on which *note* contradicts a statement."""
    return {
        pair.page
        for pair in pairs
        if pair.new == note and pair.label == "contradicts"
    }
