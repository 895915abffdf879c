"""What is left of gravity after an audit, and what is said of it (AUD-5, INV-4)."""

import pytest

from companion.operations.audit.consequence import (
    GRACE,
    GROWTH,
    LEAST,
    decide_consequence,
    decide_statement_consequence,
    has_poor_outcomes,
    may_close,
)
from companion.storage.index.tables.audits import Result


def left(
    result: Result, factor: float, poor: int = 0, *, protected: bool = False
) -> float:
    found = decide_consequence(
        result, factor=factor, poor_cycles=poor, protected=protected
    )
    return found.factor


def test_what_audit_took_down_has_a_week_before_it_is_archived() -> None:
    assert GRACE == 7


@pytest.mark.parametrize(
    ("result", "factor", "kept"),
    [
        ("improved", 1.0, 0.25),
        ("improved", 0.3, 0.075),
        ("unchanged", 1.0, 0.5),
        ("unchanged", 0.015, LEAST),
        ("improved", LEAST, LEAST),
        ("degraded", 0.3, 1.0),
        ("unchanged", 0.1234567, 0.061728),
    ],
)
def test_what_is_left_is_a_share_and_never_nothing(
    result: Result, factor: float, kept: float
) -> None:
    assert left(result, factor) == kept


def test_one_poor_audit_overrides_nothing_and_two_do() -> None:
    assert left("degraded", 1.0, 1, protected=True) == 1.0
    assert left("degraded", 1.0, 2, protected=True) == 0.25
    assert left("unchanged", 0.99, 2) == 0.2475


def test_the_sentences_say_what_follows() -> None:
    def reason(result: Result, factor: float = 1.0, poor: int = 0) -> str:
        return decide_consequence(
            result, factor=factor, poor_cycles=poor, protected=True
        ).reason

    assert reason("improved") == (
        "It decays, and is archived later. (0.25 of its gravity is left)"
    )
    assert reason("unchanged") == (
        "Its weight is halved. (0.50 of its gravity is left)"
    )
    assert reason("degraded") == "Its gravity is confirmed."
    assert reason("degraded", 0.5) == (
        "Its gravity is confirmed, and what earlier audits took is given back."
    )
    assert reason("degraded", 1.0, 2).startswith("Several audits found that")


def test_of_a_statement_the_sentence_says_what_follows() -> None:
    results: tuple[Result, ...] = ("improved", "degraded", "unchanged")
    reasons = [decide_statement_consequence(one).reason for one in results]
    assert "archived later" in reasons[0]
    assert reasons[1] == "It is confirmed."
    assert reasons[2] == "It stays, and its page keeps its gravity."


def test_a_branch_that_grew_when_it_was_audited_stays() -> None:
    assert may_close("degraded", "2026-03-02", "2026-03-01", GROWTH)
    assert not may_close("degraded", "2026-03-01", "2026-03-01", GROWTH)
    assert not may_close("improved", "2026-03-02", "2026-03-01", GROWTH + 9)


def test_three_groups_led_astray_are_poor_outcomes() -> None:
    assert [has_poor_outcomes(n) for n in range(5)] == [
        False,
        False,
        False,
        True,
        True,
    ]
