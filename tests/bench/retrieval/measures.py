"""What rankings are worth: this reads rankings only, so that any program can be held against it."""

from collections.abc import Sequence
from typing import NamedTuple

from tests.bench.retrieval.sets import Question

Ranking = Sequence[frozenset[str]]  # the turns of each result, the best first
NOWHERE = 10**6


class Marks(NamedTuple):
    """Sums over questions; `show` divides them."""

    questions: int = 0
    turn_10: float = 0.0  # an evidence turn among the first ten
    turn_5: float = 0.0
    turn_1: float = 0.0
    reciprocal: float = (
        0.0  # 1 / place of the first evidence turn among the first ten
    )
    session_10: float = 0.0  # a turn of an evidence session among the first ten
    share_5: float = 0.0  # of the evidence turns, among the first five
    sided: int = 0  # questions with several sides
    all_sides_10: float = 0.0  # each side among the first ten
    updates: int = 0
    later_first: float = 0.0  # the later statement found, above the earlier one

    def __add__(self, other: "Marks") -> "Marks":  # type: ignore[override]
        return Marks(*(a + b for a, b in zip(self, other, strict=True)))

    def show(self) -> str:
        """Return one line of shares."""
        n = max(1, self.questions)
        line = (
            f"turn R@10 {self.turn_10 / n:.3f}  R@5 {self.turn_5 / n:.3f}"
            f"  R@1 {self.turn_1 / n:.3f}  MRR {self.reciprocal / n:.3f}"
            f"  session R@10 {self.session_10 / n:.3f}"
            f"  share@5 {self.share_5 / n:.3f}"
        )
        if self.sided:
            line += f"  all sides@10 {self.all_sides_10 / self.sided:.3f}"
        if self.updates:
            line += f"  later first {self.later_first / self.updates:.3f}"
        return line


def mark(
    question: Question, ranking: Ranking, sessions: dict[str, str]
) -> Marks:
    """Return what *ranking* is worth for *question*; *sessions* names each turn's session."""
    ranking = ranking[:10]
    evidence = question.evidence
    first = _place(ranking, evidence)
    held = {sessions[turn] for turn in evidence}
    found = [{sessions[turn] for turn in turns} for turns in ranking]
    top = frozenset().union(*ranking[:5])
    places = [_place(ranking, side) for side in question.sides]
    is_sided = len(places) > 1
    return Marks(
        questions=1,
        turn_10=first < 10,
        turn_5=first < 5,
        turn_1=first < 1,
        reciprocal=1 / (first + 1) if first < 10 else 0.0,
        session_10=any(not held.isdisjoint(each) for each in found),
        share_5=len(top & evidence) / len(evidence),
        sided=is_sided,
        all_sides_10=is_sided and max(places) < 10,
        updates=question.is_update,
        later_first=question.is_update and places[-1] < min(places[:-1]),
    )


def _place(ranking: Ranking, turns: frozenset[str]) -> int:
    for place, found in enumerate(ranking):
        if not found.isdisjoint(turns):
            return place
    return NOWHERE
