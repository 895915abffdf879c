"""Row 6: which audits count as repeated poor outcomes."""

import pytest

from companion.operations.audit.consequence import (
    CONSEQUENCES,
    count_poor_cycles,
)
from companion.storage.index.tables.audits import AuditRecord, Result

POOR = CONSEQUENCES


def record(
    poor: int,
    result: Result | None = "degraded",
    *,
    undone: bool = False,
) -> AuditRecord:
    state = "inconclusive" if result is None else "closed"
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
        # what says nothing, or was taken back, neither counts nor ends it
        ([record(POOR), record(0, None)], POOR, 2),
        ([record(POOR, undone=True)], POOR, 1),
        ([record(POOR), record(0, undone=True)], POOR, 2),
    ],
)
def test_poor_cycles_are_those_since_the_entry_was_last_confirmed_without_any(
    past: list[AuditRecord], poor: int, cycles: int
) -> None:
    assert count_poor_cycles(poor, past) == cycles
