"""Measure mutual support among captures that contradict one incumbent (MaM §5.5 phase 1; CON-1,
CON-11).

Judges have compared these captures with each other, with no knowledge of the wiki; this module
reads their answers. Two captures support each other if a judge says so, or if both oppose the
incumbent, are about the same and are not opposed to each other. Rivals (two alternatives to one
belief) never share a cluster.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from companion.comparison.consistency import Judged

# cosine from which two that oppose one incumbent, and not each other, say the same of it
ALIKE = 0.6
# opposition from which they may not; that they are rivals is for the judge's label to say
OPPOSED = 0.5
# Shares of words in common, in one order, from which two wordings are one, and cosines from which
# they are. Who copies copies soon: of what was told within a day less is asked than of what was
# told apart, where two that know the same may well use the same words.
SOON, ECHO_SOON, ECHO = 1.0, 0.6, 0.85
NEAR_SOON, NEAR = 0.97, 0.99

_LONGEST = 400  # words of a text that are compared
_WORD = re.compile(r"\w+")


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


def make_tie(
    one: str,
    other: str,
    support: float,
    reason: str,
    *,
    rival: bool = False,
    similarity: float = 0.0,
    alike: bool = False,
) -> Tie:
    """Return the tie between two captures, the smaller id first."""
    low, high = sorted((one, other))
    return Tie(low, high, support, rival, similarity, reason, alike)


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


def measure_cohesion(
    members: Sequence[str], support: Mapping[frozenset[str], float]
) -> dict[str, float]:
    """Return each member's mean support by the others, in [0, 1]; 1 for a member alone.

    Only a few pairs are ever judged. A that supports B that supports C says something of A and C:
    support reaches along ties, by the weaker of the two.
    """
    if len(members) < 2:
        return dict.fromkeys(members, 1.0)
    reached = _spread_support(members, support)
    others = len(members) - 1
    return {
        member: round(sum(reached[member].values()) / others, 6)
        for member in members
    }


def group_echoes(
    texts: Mapping[str, str],
    first_told: Mapping[str, str],
    ties: Iterable[Tie] = (),
) -> dict[str, str]:
    """Return, for every capture, its group of near-identical wordings, named by its smallest id.

    *first_told* has the time at which each was told first (RFC 3339 UTC).
    """
    words = {id: _split_words(text) for id, text in sorted(texts.items())}
    days = {id: _days_since_epoch(first_told[id]) for id in words}
    cosines = {(tie.one, tie.other): tie.similarity for tie in ties}
    group_of = {id: id for id in words}
    for one, other in combinations(words, 2):
        if group_of[one] == group_of[other]:
            continue
        soon = abs(days[one] - days[other]) <= SOON
        cosine = cosines.get((one, other), 0.0)
        if _is_repeated(words[one], words[other], cosine, soon=soon):
            _merge_groups(group_of, group_of[one], group_of[other])
    return group_of


def _is_repeated(
    one: tuple[str, ...], other: tuple[str, ...], cosine: float, *, soon: bool
) -> bool:
    if soon:
        return is_echo(one, other, ECHO_SOON) or cosine >= NEAR_SOON
    return is_echo(one, other, ECHO) or cosine >= NEAR


def _merge_groups(group_of: dict[str, str], one: str, other: str) -> None:
    """Rename the later of two groups to the earlier, in place."""
    low, high = sorted((one, other))
    for id, group in group_of.items():
        if group == high:
            group_of[id] = low


def _days_since_epoch(time: str) -> float:
    return datetime.fromisoformat(time).timestamp() / 86_400


@lru_cache(maxsize=1 << 16)  # a branch compares its members again every night
def is_echo(one: tuple[str, ...], other: tuple[str, ...], share: float) -> bool:
    """Tell whether two wordings (as words) are one.

    They are if twice their longest common subsequence is at least *share* of their lengths.
    """
    least = share * (len(one) + len(other)) / 2
    if min(len(one), len(other)) < least:
        return False
    return _count_common(one, other) >= least


@lru_cache(maxsize=4096)
def _split_words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.casefold()))[:_LONGEST]


def _count_common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the length of the longest common subsequence, by bits of one integer per row (Hyyrö
    2004).
    """
    places: defaultdict[str, int] = defaultdict(int)
    for n, word in enumerate(one):
        places[word] |= 1 << n
    full = (1 << len(one)) - 1
    row = full
    for word in other:
        kept = row & places[word]
        row = ((row + kept) | (row - kept)) & full
    return len(one) - row.bit_count()


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


def _spread_support(
    members: Collection[str], support: Mapping[frozenset[str], float]
) -> dict[str, dict[str, float]]:
    """Return the widest path between every two members that are tied.

    The strongest ties bind first, as in a spanning tree.
    """
    reached: dict[str, dict[str, float]] = {member: {} for member in members}
    group_of = {member: {member} for member in members}
    for strength, (a, b) in _list_inner_support(set(members), support):
        one, other = group_of[a], group_of[b]
        if one is other:
            continue
        for x in one:
            for y in other:
                reached[x][y] = reached[y][x] = strength
        one |= other
        group_of.update(dict.fromkeys(other, one))
    return reached


def _list_inner_support(
    members: set[str], support: Mapping[frozenset[str], float]
) -> list[tuple[float, list[str]]]:
    """Return the supported pairs within *members*, the strongest first."""
    inner = []
    for pair, strength in support.items():
        if strength > 0 and pair <= members:
            inner.append((strength, sorted(pair)))
    return sorted(inner, key=lambda item: (-item[0], item[1]))
