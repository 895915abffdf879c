"""The measure of what reads add to the ledger counts every line, and fails nobody silently."""

import pytest

from tests.bench import reads


def test_a_few_days_of_reads_stay_within_the_budget_and_every_kind_is_counted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    each = reads.budget(3)
    told = capsys.readouterr().out
    assert f"{each} bytes of ledger a capture (within 2000)" in told
    assert "asked" in told and "used" in told, (
        "reads that nobody recorded cost nothing"
    )
    monkeypatch.setattr(reads, "BUDGET", 1)
    assert reads.budget(1) > 1 and "OVER 1" in capsys.readouterr().out
