"""Lay rankings out by the rules of the field, and score them (pure)."""

from collections.abc import Sequence
from itertools import groupby

from tests.bench.field.rankings import Rankings, Result
from tests.bench.retrieval.measures import Marks, mark
from tests.bench.retrieval.sets import Talk

DEPTH = 10


def score(talks: Sequence[Talk], rankings: Rankings) -> Marks:
    """Return what *rankings* are worth for all questions of *talks*."""
    marks = Marks()
    for talk in talks:
        sessions = {turn.id: turn.session for turn in talk.turns}
        for number, question in enumerate(talk.questions):
            results = rankings.results.get((talk.name, number), ())
            turns = lay_out(results, question.evidence)
            ranking = [frozenset((turn,)) for turn in turns[:DEPTH]]
            marked = mark(question, ranking, sessions)
            held = {sessions[turn] for turn in question.evidence}
            found = list(dict.fromkeys(sessions[turn] for turn in turns))
            is_near = not held.isdisjoint(found[:DEPTH])
            marks += marked._replace(session_10=float(is_near))
    return marks


def lay_out(results: Sequence[Result], evidence: frozenset[str]) -> list[str]:
    """Return the turns of *results*, one a place, each at its first.

    Among results of one score those with *evidence* come last.
    """
    ordered: list[str] = []
    for tied in _list_ties(results):
        tied.sort(key=lambda result: not evidence.isdisjoint(result.turns))
        for result in tied:
            ordered += result.turns
    return list(dict.fromkeys(ordered))


def _list_ties(results: Sequence[Result]) -> list[list[Result]]:
    """Return the results of one score together, the highest score first."""
    if any(result.score is None for result in results):
        return [[result] for result in results]

    def worth(result: Result) -> float:
        assert result.score is not None
        return -result.score

    ordered = sorted(results, key=worth)
    return [list(some) for _, some in groupby(ordered, key=worth)]
