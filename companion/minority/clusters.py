"""Find which captures that contradict one incumbent support each other (MaM §5.5 phase 1; CON-1,
CON-11).

Judges have compared these captures with each other, with no knowledge of the wiki; this module
reads their answers. Two captures support each other if a judge says so, or if both oppose the
incumbent, are about the same and are not opposed to each other. Rivals (two alternatives to one
belief) never share a cluster.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from companion.comparison.consistency import Judged

# cosine from which two that oppose one incumbent, and not each other, say the same of it
ALIKE = 0.6
# opposition from which they may not; that they are rivals is for the judge's label to say
OPPOSED = 0.5


class Tie(NamedTuple):
    """How two captures stand to each other, whoever came first."""

    one: str  # the smaller id
    other: str
    support: float  # in [0, 1]
    rival: bool  # they exclude each other
    similarity: float
    reason: str
    # by likeness alone: that counts only where both contradict one incumbent
    alike: bool = False
    # both contradict one incumbent, and no rule reads what one of them puts in its place: what else
    # is known of the two goes before
    heard: bool = False


def make_tie(
    one: str,
    other: str,
    support: float,
    reason: str,
    *,
    rival: bool = False,
    similarity: float = 0.0,
    alike: bool = False,
    heard: bool = False,
) -> Tie:
    """Return the tie between two captures, the smaller id first."""
    low, high = sorted((one, other))
    return Tie(low, high, support, rival, similarity, reason, alike, heard)


def tie_captures(judged: Iterable[Judged]) -> list[Tie]:
    """Return one tie for each pair that phase 1 judged, sorted by ids.

    If a pair has several answers (for several passages), any opposition makes rivals; otherwise the
    strongest support counts.
    """
    ties_of_pair: defaultdict[tuple[str, str], list[Tie]] = defaultdict(list)
    for answer in judged:
        if answer.phase == 1 and answer.capture != answer.other:
            tie = _tie_of_answer(answer)
            ties_of_pair[tie.one, tie.other].append(tie)
    return [
        max(ties, key=_strength) for _, ties in sorted(ties_of_pair.items())
    ]


def _tie_of_answer(judged: Judged) -> Tie:
    one, other = judged.capture, judged.other
    relation = judged.relation
    cosine = round(relation.similarity, 6)
    if judged.answer is not None:
        reason = f"answered {judged.answer}"
        if judged.answer in ("accept", "merge"):
            return make_tie(one, other, 1.0, reason, similarity=cosine)
        return make_tie(one, other, 0.0, reason, rival=True, similarity=cosine)
    if relation.label in ("same", "supports"):
        support = round(min(1.0, relation.score), 6)
        return make_tie(one, other, support, relation.label, similarity=cosine)
    if relation.label == "contradicts":
        reason = "they exclude each other"
        return make_tie(one, other, 0.0, reason, rival=True, similarity=cosine)
    if relation.similarity >= ALIKE and relation.opposition < OPPOSED:
        support = min(1.0, cosine)
        reason = f"{cosine:.2f} alike"
        return make_tie(
            one, other, support, reason, similarity=cosine, alike=True
        )
    return make_tie(one, other, 0.0, relation.label, similarity=cosine)


def _strength(tie: Tie) -> tuple[bool, float, float, str]:
    said = 0.0 if tie.alike else tie.support
    return tie.rival, said, tie.support, tie.reason
