"""A small sample of TOKI's grids: `python -m tests.ledger.isolation` prints all of them."""

from pathlib import Path

from tests.ledger.isolation import anomalies, beliefs, compose


def test_every_cell_of_the_isolation_grid_is_what_the_theorem_says(
    tmp_path: Path,
) -> None:
    cells = anomalies.grid(tmp_path)
    assert len(cells) == 54
    assert [cell for cell in cells if cell[2] != cell[3]] == []
    assert {shows for _, _, shows, _ in cells} == {True, False}, (
        "a grid that admits nothing shows nothing"
    )


def test_a_belief_drifts_below_serializable_only_and_a_loser_is_lost_without_its_audit_row(
    tmp_path: Path,
) -> None:
    cells = beliefs.drift(tmp_path) + beliefs.schema()
    assert len(cells) == 48
    assert [cell for cell in cells if cell[2] != cell[3]] == []


def test_a_pipeline_needs_what_its_neediest_step_needs() -> None:
    assert len(compose.pipelines()) == 1364
    assert [cell for cell in compose.composition(2) if cell[2] != cell[3]] == []


def test_a_judge_of_two_minds_is_heard_once_where_its_answers_are_logged(
    tmp_path: Path,
) -> None:
    bare, keyed = (
        compose.replays(tmp_path, 0.5, 400, keyed=keyed)
        for keyed in (False, True)
    )
    assert abs(bare - 0.5) < 0.1 and keyed == 0
