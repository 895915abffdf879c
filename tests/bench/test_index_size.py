"""Every byte of an index is counted for one table."""

from pathlib import Path

import pytest

from companion.values.captures import Draft
from tests.bench import index_size
from tests.bench.index_size import name_table, read_size
from tests.bench.life import Life


def test_all_tables_together_are_the_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_size, "LEAST", 0.0)
    home = Life(tmp_path / "wiki", index_size.NOW)
    home.tell_all([Draft("The cellar door is green.")])
    home.night()
    size = read_size(home.root, [25])
    assert sum(size.tables.values()) == size.index
    assert size.goal == 1_030
    assert {"fts", "stems", "events"} <= size.tables.keys()
    assert list(size.tables.values()) == sorted(
        size.tables.values(), reverse=True
    )


def test_parts_of_a_full_text_table_count_for_it() -> None:
    known = {"fts": "fts", "fts_data": "fts_data", "odd_data": "odd_data"}
    assert name_table("fts_data", known) == "fts"
    assert name_table("odd_data", known) == "odd_data"
