"""Decide what follows from an audit, for an entry and for its branches (AUD-5, INV-4). Pure."""

from collections.abc import Sequence
from typing import NamedTuple

from companion.routing import matrix
from companion.routing.matrix import Conflict
from companion.storage.index.tables.audits import (
    AuditRecord,
    Outcome,
    Result,
)

# groups of questions that an entry led astray, from which an audit has poor outcomes
CONSEQUENCES = 3
# what one bad audit leaves of gravity, and what row 6 of the matrix leaves
HALVED, OVERRIDDEN = 0.5, 0.25
LEAST = 0.01  # of gravity's factor: a factor of 0 could never be given back
GRACE = 7  # days that an entry is decaying by AUDIT before it is archived
GROWTH = 6  # N of INV-4: cycles with input in which a branch did not grow


class Consequence(NamedTuple):
    """The outcome of a result, and what is left of gravity."""

    outcome: Outcome
    factor: float  # of gravity, from then on
    reason: str


def decide_consequence(
    result: Result, *, factor: float, poor_cycles: int, protected: bool
) -> Consequence:
    """Return what follows from *result* for an entry of which audits left *factor* (AUD-5).

    *poor_cycles* are the audits, this one among them, that found poor outcomes; row 6 of the matrix
    decides by them.
    """
    if result == "improved":
        left = _keep_share(factor, OVERRIDDEN)
        reason = f"It decays, and is archived later. ({_describe(left)})"
        return Consequence("archived", left, reason)
    is_protected = protected or factor < 1
    override = matrix.route(
        Conflict("audit", protected=is_protected, poor_audits=poor_cycles)
    )
    if override is not None:
        left = _keep_share(factor, OVERRIDDEN)
        reason = (
            "Several audits found that it leads answers astray: its gravity is reduced. "
            f"({override.reason}; {_describe(left)})"
        )
        return Consequence("gravity-reduced", left, reason)
    if result == "unchanged":
        left = _keep_share(factor, HALVED)
        reason = f"Its weight is halved. ({_describe(left)})"
        return Consequence("gravity-reduced", left, reason)
    reason = "Its gravity is confirmed."
    if factor < 1:
        reason = "Its gravity is confirmed, and what earlier audits took is given back."
    return Consequence("restored", 1.0, reason)


def decide_statement_consequence(result: Result) -> Consequence:
    """Return what follows from *result* for one statement of a page (CON-17).

    Gravity is the page's: no result for a statement changes it.
    """
    if result == "improved":
        reason = 'It moves under "Earlier" on its page, and is archived later.'
        return Consequence("archived", 1.0, reason)
    if result == "degraded":
        return Consequence("restored", 1.0, "It is confirmed.")
    return Consequence(
        "restored", 1.0, "It stays, and its page keeps its gravity."
    )


def may_close(
    incumbent: str | None, audited: str, grown: str, quiet_cycles: int
) -> bool:
    """Tell whether a branch may be closed (INV-4).

    Its incumbent must last have been audited *degraded*, after the branch last grew, and the branch
    must not have grown over six cycles that had input. *audited* and *grown* are instants.
    """
    return (
        incumbent == "degraded" and audited > grown and quiet_cycles >= GROWTH
    )


def has_poor_outcomes(count: int) -> bool:
    """Tell whether an audit in which *count* groups were led astray is one with poor outcomes."""
    return count >= CONSEQUENCES


def count_poor_cycles(poor: int, past: Sequence[AuditRecord]) -> int:
    """Return how many audits of one entry repeatedly found poor outcomes, this one among them.

    *poor* is the number of groups that the entry led astray, by this audit; *past* are its earlier
    audits, oldest first. An audit without poor outcomes takes nothing, and one that confirmed the
    entry without them ends the count. What was taken back, or had no result, says nothing (AUD-8,
    OBJ-4).
    """
    if not has_poor_outcomes(poor):
        return 0
    count = 1
    for record in reversed(past):
        if record.undone or record.state != "closed":
            continue
        if has_poor_outcomes(record.poor):
            count += 1
        elif record.result == "degraded":
            break
    return count


def _keep_share(factor: float, share: float) -> float:
    return round(max(LEAST, factor * share), 6)


def _describe(factor: float) -> str:
    return f"{factor:.2f} of its gravity is left"
