"""What a real wiki tells of its state: what waits, who used it, and when they usually do."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from companion.lookup.search import search_wiki
from companion.sleep.decision.state import Body, State
from companion.sleep.gather import Situation, gather_state
from companion.storage.cold import originals, store_originals
from companion.storage.journal.journal import Journal
from companion.usage.record_read import record_search
from tests.wiki import Wiki
from tests.zone import BERLIN, set_zone


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def look(wiki: Wiki) -> Situation:
    return gather_state(wiki.ws, Body())


def state(wiki: Wiki) -> State:
    return look(wiki).state


def test_only_what_no_night_looked_at_waits(wiki: Wiki) -> None:
    wiki.ingest("Anna moved to Kiel.")
    wiki.tick(hours=5)
    assert state(wiki).waiting.captures == 1
    assert state(wiki).waiting.oldest == pytest.approx(300)
    wiki.consolidate()
    wiki.tick(hours=1)
    assert state(wiki).waiting.captures == 0
    assert state(wiki).past.night == pytest.approx(60, abs=1)


def test_what_was_told_in_private_waits_for_no_night(wiki: Wiki) -> None:
    wiki.ingest("My blood type is A.", scope="private")
    assert state(wiki).waiting.captures == 0
    assert state(wiki).person.quiet is not None


def test_reads_count_as_use(wiki: Wiki) -> None:
    wiki.ingest("Anna moved to Kiel.")
    wiki.tick(hours=5)
    assert state(wiki).person.quiet == pytest.approx(300)
    ws = wiki.ws
    record_search(ws, search_wiki(ws, "Kiel"))
    wiki.tick(minutes=7)
    assert state(wiki).person.quiet == pytest.approx(7)
    # a night takes the read into the journal
    wiki.consolidate()
    assert state(wiki).person.quiet == pytest.approx(8)


def test_a_source_that_waits_is_counted_and_was_brought_by_somebody(
    wiki: Wiki,
) -> None:
    wiki.tick(days=3)
    item = originals.make_original(
        b"<html><p>Kettles</p></html>",
        media_type="text/html",
        name="kettle.html",
        source="kettle.html",
        received_at=wiki.ws.now(),
    )
    store_originals.put(wiki.repo(), [(item, b"<html><p>Kettles</p></html>")])
    wiki.tick(hours=2)
    found = state(wiki)
    assert (found.waiting.originals, found.waiting.oldest) == (
        1,
        pytest.approx(120),
    )
    assert found.person.quiet == pytest.approx(120)


def test_the_usual_hour_is_that_of_the_clock_on_the_wall(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Summer time ends on 2026-10-25: eight o'clock stays eight o'clock."""
    set_zone(monkeypatch, BERLIN)
    for day in range(14):
        # 08:10 in Berlin: 06:10 UTC in summer, 07:10 in winter
        hour = 6 if day < 7 else 7
        wiki.now = datetime(2026, 10, 18, hour, 10, tzinfo=UTC) + timedelta(
            days=day
        )
        wiki.ingest(f"Note of day {day}.")
    wiki.now = datetime(2026, 11, 1, 2, 0, tzinfo=UTC)  # 03:00 in Berlin
    ahead = state(wiki).person.next_session
    assert ahead == pytest.approx(5 * 60)


def test_a_journal_without_reads_is_read(wiki: Wiki) -> None:
    journal = Journal.open(wiki.ws.place.journal_db)
    journal.close()
    assert state(wiki).person.quiet is None
