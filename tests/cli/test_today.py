"""`companion today`: how a day, and a longer time, are told."""

import time
from pathlib import Path

import pytest

from companion.cli.commands.today import text
from companion.reading.overview.day import describe_day
from tests.wiki import Wiki


@pytest.fixture(params=["UTC", "Asia/Kolkata", "America/New_York"])
def wiki(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> Wiki:
    """A wiki by the clock of another zone, on Tuesday, 10 November."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    request.addfinalizer(time.tzset)
    request.addfinalizer(monkeypatch.undo)
    return Wiki.new(tmp_path / "wiki", {"Old.md": "old\n"})


def heading(wiki: Wiki, words: str) -> str:
    return str(next(iter(text(describe_day(wiki.ws, words)))))


def test_a_longer_time_is_told_by_its_first_and_last_day(wiki: Wiki) -> None:
    none = "0 notes came in, 0 pages changed"

    assert heading(wiki, "2025-03-01") == f"Saturday, 1 March: {none}"
    assert (
        heading(wiki, "2025-02")
        == f"Saturday, 1 February, to Friday, 28 February: {none}"
    )


def test_a_page_that_is_no_longer_there_is_told_so(wiki: Wiki) -> None:
    (wiki.root / "Old.md").unlink()
    wiki.adopt()
    lines = [str(line) for line in text(describe_day(wiki.ws))]

    assert any("Old · archived · Old.md" in line for line in lines)
