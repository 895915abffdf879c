"""The tables of given data say what their benches count."""

from collections import Counter
from pathlib import Path
from unittest.mock import patch

from tests.bench.extraction import Read
from tests.bench.measured import given
from tests.bench.vault_notes import BESIDE, DAY, Told


def test_conversations_are_counted_each_and_together() -> None:
    first = Counter(asked=4, shown=3, right=1)
    second = Counter(asked=6, shown=3, wrong=2)
    with patch.object(given, "evidence", return_value=[first, second]):
        rows = given.measure_evidence(Path())["evidence"].rows

    assert rows == [
        ("first", "3 of 4 (.750)"),
        ("second", "3 of 6 (.500)"),
        ("all", "6 of 10 (.600)"),
        ("all: claims answer", "3 of 10: 1 rightly, 2 wrongly"),
    ]


def test_what_is_read_is_told_in_part_and_exactly() -> None:
    read = Read(8, 0.5, 0.25, 0.75)
    reads = dict.fromkeys(given.READ, Read(4, 1.0)) | {"spans": read}
    with patch.object(given, "extraction", return_value=reads):
        rows = given.measure_extraction(Path())["extraction"].rows

    assert rows[1:3] == [
        ("values of 8 operations of MemOps, in part", ".500", ".750"),
        ("the same, exactly", ".250", ""),
    ]
    assert [row[1:] for row in (rows[0], *rows[3:])] == [("1.000", "")] * 3


def test_vaults_have_a_row_each() -> None:
    told = Told(0, Counter({BESIDE: 2, DAY: 5}))
    with patch.object(given, "vault_notes", return_value=[told]):
        rows = given.measure_vaults(Path())["vaults"].rows

    assert rows == [("first", 0, 7, 2, 5, 0)]
