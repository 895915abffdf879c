"""`today`: what came in and what changed, by the local clock."""

import time
from datetime import datetime
from pathlib import Path

import pytest

from companion.reading.overview.day import describe_day
from tests.wiki import Wiki


def test_a_day_begins_at_local_midnight(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    monkeypatch.setenv("TZ", "Asia/Kolkata")  # five and a half hours ahead
    time.tzset()
    wiki.now = datetime.fromisoformat("2026-11-10T18:00:00+00:00")
    wiki.ingest("# Late\n\nIn the evening.")
    wiki.now = datetime.fromisoformat("2026-11-10T18:40:00+00:00")
    wiki.ingest("# Early\n\nAfter midnight.")
    today = describe_day(wiki.ws)
    yesterday = describe_day(wiki.ws, "yesterday")
    monkeypatch.delenv("TZ")
    time.tzset()

    assert today["day"] == "2026-11-11"
    assert [note["title"] for note in today["captured"]] == ["Early"]
    assert yesterday["day"] == "2026-11-10"
    assert [note["title"] for note in yesterday["captured"]] == ["Late"]


def test_a_note_names_the_page_on_which_it_stands(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki", {"Old.md": "old\n"})
    wiki.tick(days=1)
    wiki.ingest("# Crane\n\nIt was painted green.")
    waiting = describe_day(wiki.ws)
    wiki.consolidate()
    done = describe_day(wiki.ws)

    assert waiting["captured"][0]["page"] is None
    assert waiting["captured"][0]["state"] == "pending"
    page = done["captured"][0]["page"]
    assert page is not None and page["title"] == "Crane"
    assert [page["title"] for page in done["changed"]] == ["Crane"]
    assert [run["operation"] for run in done["runs"]] == ["consolidate"]
    assert describe_day(wiki.ws, "yesterday")["captured"] == []


def test_a_private_note_came_in_for_its_owner_alone(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest("A small key.", scope="private", agent="scribe")

    assert describe_day(wiki.ws)["captured"] == []
    assert len(describe_day(wiki.as_("scribe"))["captured"]) == 1
