"""Row 6: which audits count as repeated poor outcomes."""

import pytest

from companion.operations.audit.consequence import (
    CONSEQUENCES,
    Consequence,
    count_poor_cycles,
    decide_consequence,
    decide_statement_consequence,
)
from companion.storage.index.tables.audits import AuditRecord, Result

POOR = CONSEQUENCES


def record(
    poor: int,
    result: Result | None = "degraded",
    *,
    undone: bool = False,
    state: str = "closed",
) -> AuditRecord:
    if result is None:
        state = "inconclusive"
    since = "2026-01-01T00:00:00.000000Z"
    outcome = None if result is None else "restored"
    about = (since, state, result, outcome, poor, {}, None, undone, None)
    return AuditRecord("record", "run", "entry", *about)


@pytest.mark.parametrize(
    ("past", "poor", "cycles"),
    [
        ([], POOR, 1),
        ([record(POOR)], POOR, 2),
        ([record(POOR), record(POOR)], POOR, 3),
        # an audit without poor outcomes takes nothing, whatever came before
        ([record(POOR), record(POOR)], 0, 0),
        ([record(POOR), record(POOR)], POOR - 1, 0),
        # and, where it confirmed the entry, ends the count
        ([record(POOR), record(POOR), record(0)], POOR, 1),
        ([record(POOR), record(0, "unchanged")], POOR, 2),
        ([record(POOR), record(POOR, state="created")], POOR, 2),
        # what says nothing, or was taken back, neither counts nor ends it
        ([record(POOR), record(0, None)], POOR, 2),
        ([record(POOR, undone=True)], POOR, 1),
        ([record(POOR), record(POOR, None)], POOR, 2),
        ([record(POOR), record(0, undone=True)], POOR, 2),
    ],
)
def test_poor_cycles_are_those_since_the_entry_was_last_confirmed_without_any(
    past: list[AuditRecord], poor: int, cycles: int
) -> None:
    assert count_poor_cycles(poor, past) == cycles


@pytest.mark.parametrize("result", ["improved", "unchanged", "degraded"])
def test_what_is_found_of_a_statement_leaves_its_pages_gravity(
    result: Result,
) -> None:
    found = decide_statement_consequence(result)
    assert found.factor == 1.0
    assert (found.outcome == "archived") is (result == "improved")


@pytest.mark.parametrize(
    ("protected", "factor", "overridden"),
    [(True, 1.0, True), (False, 0.5, True), (False, 1.0, False)],
)
def test_row_6_is_for_what_is_protected_or_was_before_audits_took_of_it(
    protected: bool, factor: float, overridden: bool
) -> None:
    def decide(poor_cycles: int) -> Consequence:
        return decide_consequence(
            "degraded",
            factor=factor,
            poor_cycles=poor_cycles,
            protected=protected,
        )

    assert decide(0).outcome == "restored"
    assert (decide(9).outcome == "gravity-reduced") is overridden
