"""How sure a claim is: revisable, and combined from who told it (LED-17).

One telling is as sure as its voice: 0.8, more or less by the trust class that the settings give its
source or its agent; what was said as a possibility is half of that. Voices that tell the same value
add up as doubts multiply. What disputes it takes its share. Nothing is stored: a later telling, a
retraction or another trust class revises it, and answers about the past keep theirs. Pure.
"""

import math
from collections.abc import Iterable, Mapping, Sequence

from companion.ledger.operators import Side
from companion.ledger.settlement import Standing
from companion.values.claims import Assertion
from companion.values.trust import weigh_trust

_TENTATIVE = 0.5
_PLACES = 4
Classes = Sequence[tuple[str, float]]


def weigh_telling(a: Assertion, classes: Classes) -> Assertion:
    """Return *a* as sure as its voice by the trust *classes* (name or pattern, weight), in (0, 1).

    A class weighs as so many ordinary voices: 1.5 is one and a half.
    """
    trust = weigh_trust(a.source, a.agent, classes)
    sure = 1.0 - (1.0 - a.confidence) ** trust
    if a.mood == "tentative":
        sure *= _TENTATIVE
    return a._replace(confidence=round(sure, _PLACES))


def combine(standings: Sequence[Standing]) -> Mapping[str, float]:
    """Return how sure each value of one key is, in [0, 1), by value.

    What was taken back counts for nothing. The share of what disputes a value is that of the
    evidence.
    """
    evidence = _sum_evidence(standings)
    disputed = {
        each.assertion.value for each in standings if each.status == "disputed"
    }
    total = math.fsum(evidence[value] for value in disputed & evidence.keys())
    confidence: dict[str, float] = {}
    for value, weight in evidence.items():
        share = weight / total if value in disputed and total else 1.0
        sure = 1.0 - math.exp(-weight)
        confidence[value] = round(share * sure, _PLACES)
    return confidence


def _sum_evidence(standings: Iterable[Standing]) -> dict[str, float]:
    """Return the evidence for each value that somebody told and did not take back."""
    tellings: dict[str, list[Assertion]] = {}
    for each in standings:
        a = each.assertion
        if each.status != "retracted" and not a.negated:
            tellings.setdefault(a.value, []).append(a)
    return {
        value: Side(value, tuple(told)).evidence
        for value, told in tellings.items()
    }
