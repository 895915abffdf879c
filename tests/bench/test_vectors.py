"""The bench of `[vectors]` calls the same commands of each model, and compares by rounds."""

from pathlib import Path
from unittest.mock import patch

import pytest

from companion.maintenance.init import init
from tests.bench import vectors
from tests.bench.vectors import MODELS, NOTES, Cost


def test_each_model_reads_and_sleeps_and_a_changed_file_is_read_anew(
    tmp_path: Path,
) -> None:
    init(tmp_path / "vectors")

    calls = dict(vectors._list_calls("program", tmp_path))

    told = ("search", "ask", f"a night of {NOTES} notes")
    expected = [(model, what) for model in MODELS for what in told]
    assert list(calls) == [*expected, (vectors._CHANGED, "search")]
    assert calls["light", "ask"]()[1:3] == ["ask", vectors.QUESTION]
    assert calls["vectors", "search"]()[-1] == str(tmp_path / "vectors")


def test_each_night_has_a_copy_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "light-waiting").mkdir()

    nights = vectors._list_nights("program", tmp_path / "light")

    assert next(nights)[-1] != next(nights)[-1]
    assert len([*tmp_path.glob("light-[01]")]) == 2


def test_a_ratio_is_the_median_of_rounds() -> None:
    found = vectors._compare(
        ("light", "ask"), [2.0, 9.0, 4.0], [1.0, 3.0, 2.0], 3.1
    )

    assert found == Cost("light", "ask", 2.0, 2.0, 3.1)


def test_without_the_extra_it_says_how_to_get_it(tmp_path: Path) -> None:
    with (
        patch.object(vectors, "find_spec", return_value=None),
        pytest.raises(SystemExit, match="pip install"),
    ):
        vectors.vectors(tmp_path, 1, {})
