"""The conflict routing matrix: every row is reached, by what the paper says and by nothing else."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.routing import matrix
from companion.routing.matrix import MATRIX, Conflict, Kind
from companion.values.trust import weigh_trust

FALLING, STEADY = (0.9, 0.8, 0.7), (0.8, 0.8, 0.9)


@dataclass(frozen=True)
class Case:
    conflict: Conflict
    row: int


CASES = [
    Case(Conflict("vocabulary", utility=STEADY), 1),
    Case(Conflict("vocabulary"), 1),
    Case(Conflict("vocabulary", utility=FALLING), 2),
    Case(Conflict("reinforcement", harmful=True, utility=STEADY), 3),
    Case(Conflict("evidence", protected=True), 4),
    Case(Conflict("evidence", protected=True, voices=9), 4),
    Case(Conflict("evidence", protected=True, cycles=9), 4),
    Case(Conflict("evidence", protected=True, voices=1, cycles=9), 4),
    Case(Conflict("evidence", protected=True, voices=9, cycles=1), 4),
    Case(Conflict("evidence", protected=True, voices=2, cycles=2), 5),
    Case(Conflict("evidence", protected=True, voices=3, cycles=3), 5),
    Case(Conflict("audit", protected=True, poor_audits=2), 6),
    Case(Conflict("model", protected=True), 7),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"row {case.row}")
def test_each_conflict_takes_its_row(case: Case) -> None:
    routed = matrix.route(case.conflict)
    assert routed is not None
    assert routed.row == case.row
    assert routed.reason.startswith(f"row {case.row}, ")


def test_each_row_asks_for_the_support_that_the_documents_say() -> None:
    """1.25 for rows 4 and 5, 1.6 for row 2, 3 for row 3; the others ask for no more than there is."""
    frictions = {row.number: row.friction for row in MATRIX}
    assert frictions == {1: 1, 2: 1.6, 3: 3, 4: 1.25, 5: 1.25, 6: 1, 7: 1}


def test_every_row_is_alive() -> None:
    assert (
        {case.row for case in CASES}
        == {row.number for row in MATRIX}
        == set(matrix.PRECEDENCE)
    )
    assert [row.number for row in MATRIX] == [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize(
    "conflict",
    [
        Conflict("evidence", voices=9, cycles=9),
        Conflict("audit", protected=True, poor_audits=1),
        Conflict("audit", poor_audits=9),
        Conflict("model"),
        Conflict("reinforcement"),
    ],
)
def test_what_the_matrix_does_not_know_has_no_row(conflict: Conflict) -> None:
    assert matrix.route(conflict) is None


conflicts = st.builds(
    Conflict,
    st.sampled_from(
        ["vocabulary", "evidence", "reinforcement", "audit", "model"]
    ),
    st.booleans(),
    st.integers(1, 5),
    st.integers(1, 5),
    st.lists(st.floats(0, 1), max_size=6),
    st.booleans(),
    st.integers(0, 4),
)


@given(conflicts, st.lists(st.floats(0, 1), max_size=6))
def test_what_is_flagged_as_harmful_ignores_utility(
    conflict: Conflict, utility: list[float]
) -> None:
    """Row 2's trigger in row 3 would make row 3 dead code: the user is satisfied there."""
    routed = matrix.route(conflict._replace(harmful=True, utility=utility))
    assert routed is not None
    assert (routed.row, routed.mirrored, routed.audited) == (3, False, True)
    assert routed.friction == max(row.friction for row in MATRIX)


@given(conflicts)
def test_only_vocabulary_that_serves_is_mirrored(conflict: Conflict) -> None:
    routed = matrix.route(conflict)
    assert (routed is not None and routed.mirrored) == (
        conflict.kind == "vocabulary"
        and not conflict.harmful
        and not matrix.is_degrading(conflict.utility)
    )


ROWS: dict[Kind, set[int]] = {
    "vocabulary": {1, 2},
    "evidence": {4, 5},
    "reinforcement": set(),
    "audit": {6},
    "model": {7},
}


def list_conflicts() -> Iterator[Conflict]:
    """Yield one conflict on either side of every border."""
    utilities: tuple[Sequence[float], ...] = (FALLING, STEADY)
    sides = product(
        ROWS, (False, True), (1, 2), (1, 2), utilities, (False, True), (1, 2)
    )
    for each in sides:
        yield Conflict(*each)


def test_a_row_is_for_one_kind_of_conflict() -> None:
    """Row 3 alone is for whatever is flagged from outside."""
    for conflict in list_conflicts():
        routed = matrix.route(conflict)
        if conflict.harmful:
            assert routed is not None and routed.row == 3
        else:
            assert routed is None or routed.row in ROWS[conflict.kind]


def test_an_audit_is_asked_for_by_rows_3_and_6_alone() -> None:
    for conflict in list_conflicts():
        routed = matrix.route(conflict)
        assert routed is None or routed.audited is (routed.row in (3, 6))


def test_degrading_utility_reclassifies_at_higher_friction() -> None:
    mirrored, reclassified, evidence = (MATRIX[n - 1] for n in (1, 2, 5))
    assert (
        reclassified.friction
        > evidence.friction
        > mirrored.friction
        == matrix.DEFAULT
    )


@pytest.mark.parametrize(
    ("utility", "degrades"),
    [
        ((), False),
        ((0.9, 0.1), False),
        ((0.9, 0.85, 0.8), True),
        ((0.9, 0.9, 0.8), True),
        ((0.9, 0.95, 0.5), False),
        ((0.5, 0.46, 0.42), False),
        ((0.1, 0.9, 0.8, 0.7), True),
        ((0.9, 0.8, 0.7, 0.75), False),
        # bad from the first day: there is nothing to fall from
        ((0.33, 0.33, 0.33), True),
        ((0.25, 0.33, 0.4), True),
        ((0.33, 0.33), False),
        ((0.33, 0.41, 0.33), False),
    ],
)
def test_what_degrading_means(
    utility: tuple[float, ...], degrades: bool
) -> None:
    assert matrix.is_degrading(utility) == degrades


@pytest.mark.parametrize("kind", ["vocabulary", "audit", "model"])
def test_evidence_rows_concern_evidence_only(kind: Kind) -> None:
    routed = matrix.route(
        Conflict(kind, protected=True, voices=9, cycles=9, poor_audits=2)
    )
    assert routed is not None
    assert routed.row not in (4, 5)


CLASSES = (
    ("lab/*", 1.5),
    ("lab/gossip/*", 0.5),
    ("https://www.example.org", 2.0),
    ("robot", 0.1),
    ("scribe", 2.0),
)


@pytest.mark.parametrize(
    ("source", "agent", "weight"),
    [
        ("lab/report-3", None, 1.5),
        ("LAB/report-3", "", 1.5),
        ("lab/gossip/1", None, 0.5),
        ("someone", None, 1.0),
        (None, None, 1.0),
        ("", "", 1.0),
        ("http://example.org/a?b#c", None, 2.0),
        ("https://example.org", None, 2.0),
        ("https://example.organ", None, 1.0),
        ("lab/report-3", "robot", 0.1),
        ("someone", "Robot", 0.1),
        ("lab/report-3", "someone", 1.0),
        ("lab/gossip/1", "someone", 0.5),
        ("lab/report-3", "scribe", 1.5),
        ("someone", "scribe", 2.0),
        ("robotics", None, 1.0),
    ],
)
def test_the_longest_name_that_fits_gives_the_weight_and_the_lower_of_source_and_agent(
    source: str | None, agent: str | None, weight: float
) -> None:
    assert (
        weigh_trust(source, agent, CLASSES)
        == weigh_trust(source, agent, CLASSES[::-1])
        == weight
    )
