"""Find which statements of a page the replayed answers used (CON-17).

An answer from claims used the statements that tell those claims. A search used the one statement
that has words of the question that nothing else on the page has. A challenge concerns the statement
that its branch contradicts. In the audit of a statement, its page counts as found only where the
answer used the statement: the page itself may be found without it. Pure.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from companion.operations.audit.questions.query_set import Probe
from companion.storage.index.terms import split_words

MOST = 10  # statements of one page that are audited, those most used first


class StatementWords(NamedTuple):
    """A statement of a page, and the words that only it has there."""

    capture: str
    own: frozenset[str]


class Use(NamedTuple):
    """The questions whose answers used one statement."""

    capture: str
    own: frozenset[str]  # the words that only it has on its page
    probes: tuple[Probe, ...]


def choose_used(
    entry: str,
    statements: Sequence[StatementWords],
    probes: Sequence[Probe],
    rankings: Mapping[str, Sequence[str]],
    answering: Mapping[str, Collection[str]],
) -> list[Use]:
    """Return the statements of *entry* that answers used, the most used first, ten at most.

    *rankings* has what answered each probe, by the probes' ids; *answering* the captures whose
    claims did, for the probes that claims answered.
    """
    found: dict[str, list[Probe]] = {one.capture: [] for one in statements}
    for probe in probes:
        if entry not in rankings[probe.id]:
            continue
        used = _find_used(statements, probe, answering.get(probe.id))
        for capture in used:
            if capture in found:
                found[capture].append(probe)
    uses = [
        Use(one.capture, one.own, tuple(found[one.capture]))
        for one in statements
        if found[one.capture]
    ]
    uses.sort(key=_rank)
    return uses[:MOST]


def _find_used(
    statements: Sequence[StatementWords],
    probe: Probe,
    answering: Collection[str] | None,
) -> list[str]:
    if probe.statement is not None:
        return [probe.statement]
    if answering is not None:
        return sorted(answering)
    words = set(split_words(probe.words))
    having = [one.capture for one in statements if words & one.own]
    return having if len(having) == 1 else []


def _rank(use: Use) -> tuple[int, str]:
    groups = {(probe.kind, probe.group) for probe in use.probes}
    return -len(groups), use.capture


def as_statement(entry: str, belief: str, probe: Probe) -> Probe:
    """Return *probe* with *belief*, a statement of *entry*, in the place of its page."""
    useful = {
        belief if other == entry else other: value
        for other, value in probe.useful.items()
    }
    harmful = frozenset(
        belief if other == entry else other for other in probe.harmful
    )
    return probe._replace(useful=useful, harmful=harmful)


def rank_statement(
    entry: str, belief: str, ranking: Sequence[str]
) -> list[str]:
    """Return a *ranking* that used a statement, with *belief* in the place of its page."""
    return [belief if other == entry else other for other in ranking]
