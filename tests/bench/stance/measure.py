"""Measure what rules, features and heads make of the pairs of one split."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from companion.comparison.candidate_pairs import split_passages
from companion.language.protocols import Embedder, Relater
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
    nearest = _nearest(pairs, notes, embedder)
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


def count_heard(
    pairs: Sequence[Pair], relater: Relater, embedder: Embedder
) -> tuple[int, int, int]:
    """Hold each note against the nearest statements of its domain, as pages of their own.

    Returns how many notes are flagged on a page that they contradict, how many only on others, and
    how many notes there are.
    """
    right = false = count = 0
    for domain in sorted({pair.domain for pair in pairs}):
        known = [one for one in pairs if one.domain == domain and not one.again]
        notes = sorted({pair.new for pair in known})
        near = _nearest(known, notes, embedder)
        for note, places in zip(notes, near, strict=True):
            later = Statement("\n".join(split_passages(note)))
            asked = [
                (Statement(known[at].old, known[at].page), later)
                for at in places
            ]
            answers = zip(places, relater.relate(asked), strict=True)
            flagged = {
                known[at].page
                for at, answer in answers
                if answer.label == "contradicts"
            }
            hit = bool(flagged & _contradicted(known, note))
            right += hit
            false += bool(flagged) and not hit
        count += len(notes)
    return right, false, count


def _nearest(
    known: Sequence[Pair], notes: Sequence[str], embedder: Embedder
) -> NDArray[numpy.intp]:
    """Return the places of the nearest statements of each note, shape (notes, NEAREST)."""
    olds = embedder.embed([pair.old for pair in known])
    order = numpy.argsort(
        -embedder.embed(list(notes)) @ olds.T, axis=1, kind="stable"
    )
    return order[:, :NEAREST]


def _contradicted(pairs: Sequence[Pair], note: str) -> set[str]:
    """Return the pages on which *note* contradicts a statement."""
    return {
        pair.page
        for pair in pairs
        if pair.new == note and pair.label == "contradicts"
    }
