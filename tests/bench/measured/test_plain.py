"""The tables of the rules say what their benches count."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from unittest import mock

from companion.minority.pressure import DEFAULT, Policy
from tests.bench.gathering import ON_A_DAY, ON_ANOTHER, ON_ITS_OWN, Became
from tests.bench.measured import plain
from tests.bench.pressure import (
    DEFENCES,
    LIMITS,
    NOISE,
    TRUE,
    Plant,
    rates,
)


def _live_once(
    plants: Mapping[str, Plant],
    policy: Policy = DEFAULT,
    _: int = 0,
    heard: float = 0.7,
) -> dict[str, list[tuple[float, float]]]:
    return rates(plants, policy, 1, heard)


def test_each_plant_and_each_defence_has_a_row() -> None:
    with mock.patch.object(plain, "rates", _live_once):
        found = plain.measure_pressure(Path())

    rows = {row[0]: row[1:] for row in found["pressure"].rows}
    assert list(rows) == [*NOISE, *TRUE, *LIMITS]
    assert {rows[kind] for kind in NOISE} == {("0.00", "0.00")}
    assert {rows[kind][1] for kind in TRUE} == {"1.00"}
    assert [row[0] for row in found["defences"].rows] == list(DEFENCES)


def test_a_life_says_where_its_notes_stand() -> None:
    homes = Counter(
        {(True, ON_ITS_OWN): 6, (True, ON_A_DAY): 2, (False, ON_A_DAY): 1}
    )
    homes[False, ON_ANOTHER] = 1
    became = Became(10, 5, 3, homes, 8, 7)

    assert [row[1] for row in plain.show_became(became).rows] == [
        5,
        ".500; .200",
        "30.0 %",
        "6 of 8",
        "0 of 8",
        "1 of 2",
        "7 of 8",
    ]


def test_answers_become_shares() -> None:
    counts = plain.Counter(known=8, first=6, given=4, wrong=1, none=3, silent=3)
    assert plain._show_answers(counts) == (
        "6 of 8 (.750)",
        "4 of 8",
        "1",
        "3 of 3 (1.000)",
    )


def test_the_cells_of_isolation_are_counted(tmp_path: Path) -> None:
    found = plain.measure_isolation(tmp_path)["isolation"]
    assert [row[1] for row in found.rows] == ["54", "36", "12", "4,092"]
    with mock.patch.object(plain.compose, "composition") as pipelines:
        pipelines.return_value = [("a", "b", True, False)]
        other = tmp_path / "other"
        other.mkdir()
        found = plain.measure_isolation(other)["isolation"]
    assert found.rows[-1][1:] == ("1", "0")
