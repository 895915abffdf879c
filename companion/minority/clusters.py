"""Mutual support among what contradicts one incumbent (MaM §5.5 phase 1; CON-1, CON-11).

Captures of tonight, of the extended buffer, of quarantine and of open branches have been compared
with each other, with no knowledge of the wiki; this module reads those answers. Two of them support
each other where a judge says so, where they state one value for one claim key, or where both oppose
the incumbent, are about the same and are not opposed to each other. Rivals (two alternatives to one
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

Claim = tuple[str, str]  # claim key, value


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


def ties(
    judged: Iterable[Judged],
    claims: Mapping[str, Collection[Claim]] | None = None,
) -> list[Tie]:
    """Return what phase 1's answers (and equal or rival *claims* per capture) say of each pair,
    sorted by ids.

    Several answers on one pair (several passages): any opposition makes rivals, otherwise the
    strongest support counts.
    """
    claims = claims or {}
    found: defaultdict[tuple[str, str], list[Tie]] = defaultdict(list)
    for each in judged:
        if each.phase == 1 and each.capture != each.other:
            tie = _judged(each)
            found[tie.one, tie.other].append(tie)
    for one, other in _share_a_key(claims):
        found[one, other].append(_claimed(one, other, claims))
    return [_strongest(found[pair]) for pair in sorted(found)]


def cohesion(
    members: Sequence[str], support: Mapping[frozenset[str], float]
) -> dict[str, float]:
    """Return each member's mean support by the others; support reaches along ties, by the weaker of
    the two.

    Only a few pairs are ever judged: A that supports B that supports C says something of A and C.
    """
    reached = _reach(members, support)
    others = max(1, len(members) - 1)
    return {
        a: round(sum(reached[a].values()) / others, 6)
        if len(members) > 1
        else 1.0
        for a in members
    }


def echoes(
    texts: Mapping[str, str], told: Mapping[str, str], ties: Iterable[Tie] = ()
) -> dict[str, str]:
    """Return, for every capture, the group of near-identical wordings it belongs to: the smallest
    id in it.

    *told* says when each was told first (RFC 3339 UTC).
    """
    words = {id: _words(text) for id, text in sorted(texts.items())}
    when = {
        id: datetime.fromisoformat(told[id]).timestamp() / 86_400
        for id in words
    }
    group = {id: id for id in words}
    cosines = {(tie.one, tie.other): tie.similarity for tie in ties}
    for one, other in combinations(words, 2):
        if group[one] == group[other]:
            continue
        soon = abs(when[one] - when[other]) <= SOON
        echo = is_echo(words[one], words[other], ECHO_SOON if soon else ECHO)
        if echo or cosines.get((one, other), 0.0) >= (
            NEAR_SOON if soon else NEAR
        ):
            low, high = sorted((group[one], group[other]))
            group = {id: low if at == high else at for id, at in group.items()}
    return group


@lru_cache(maxsize=1 << 16)  # a branch compares its members again every night
def is_echo(one: tuple[str, ...], other: tuple[str, ...], share: float) -> bool:
    """Tell whether two wordings (as words) are one: twice their longest common subsequence over
    their lengths.
    """
    least = share * (len(one) + len(other)) / 2
    return (
        min(len(one), len(other)) >= least and _in_common(one, other) >= least
    )


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.casefold()))[:_LONGEST]


def _in_common(one: Sequence[str], other: Sequence[str]) -> int:
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


def _judged(judged: Judged) -> Tie:
    one, other = sorted((judged.capture, judged.other))
    relation = judged.relation
    likeness = round(relation.similarity, 6)
    if judged.answer in ("reject", "prefer-new", "prefer-old"):
        return Tie(one, other, 0.0, True, likeness, f"answered {judged.answer}")
    if judged.answer in ("accept", "merge"):
        return Tie(
            one, other, 1.0, False, likeness, f"answered {judged.answer}"
        )
    if relation.label in ("same", "supports"):
        return Tie(
            one,
            other,
            round(min(1.0, relation.score), 6),
            False,
            likeness,
            relation.label,
        )
    if relation.label == "contradicts":
        return Tie(one, other, 0.0, True, likeness, "they exclude each other")
    if relation.similarity >= ALIKE and relation.opposition < OPPOSED:
        return Tie(
            one,
            other,
            min(1.0, likeness),
            False,
            likeness,
            f"{likeness:.2f} alike",
            True,
        )
    return Tie(one, other, 0.0, False, likeness, relation.label)


def _claimed(
    one: str, other: str, claims: Mapping[str, Collection[Claim]]
) -> Tie:
    ours, theirs = set(claims[one]), set(claims[other])
    if ours & theirs:
        return Tie(one, other, 1.0, False, 0.0, "one value for one claim key")
    return Tie(one, other, 0.0, True, 0.0, "two values for one claim key")


def _share_a_key(
    claims: Mapping[str, Collection[Claim]],
) -> list[tuple[str, str]]:
    by_key: defaultdict[str, set[str]] = defaultdict(set)
    for capture, stated in claims.items():
        for key, _ in stated:
            by_key[key].add(capture)
    return sorted(
        {
            (a, b)
            for some in by_key.values()
            for a in some
            for b in some
            if a < b
        }
    )


def _strongest(found: Sequence[Tie]) -> Tie:
    return max(
        found,
        key=lambda each: (
            each.rival,
            not each.alike and each.support,
            each.support,
            each.reason,
        ),
    )


def _reach(
    members: Sequence[str], support: Mapping[frozenset[str], float]
) -> dict[str, dict[str, float]]:
    """Return the widest path between every two members: the strongest ties bind first, as in a
    spanning tree.
    """
    reached: dict[str, dict[str, float]] = {a: {} for a in members}
    group = {a: {a} for a in members}
    wanted = set(members)
    inside = [
        (s, sorted(pair))
        for pair, s in support.items()
        if s > 0 and pair <= wanted
    ]
    for strength, (a, b) in sorted(
        inside, key=lambda each: (-each[0], each[1])
    ):
        one, other = group[a], group[b]
        if one is other:
            continue
        for x in one:
            for y in other:
                reached[x][y] = reached[y][x] = strength
        one |= other
        for x in other:
            group[x] = one
    return reached
