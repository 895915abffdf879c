"""A note that waits longer than its owner allows expires at night, on record, and comes back."""

from pathlib import Path

import pytest

from companion.lifecycle import leave_buffer
from companion.maintenance.withdraw import bring_back, find_dropped
from companion.reading.why import explain_target
from tests.wiki import Wiki

BOILER = "The boiler needs a new valve."
SALARY = "Salary talks in May."


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    """Return a wiki with a note that waits, because the night that read it was thrown away."""
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest(BOILER)
    wiki.consolidate()
    wiki.git("reset", "--quiet", "--hard", "HEAD~1")
    wiki.search("boiler")  # sees that the branch went back
    return wiki


def allow(wiki: Wiki, days: int) -> None:
    settings = wiki.read(".companion/companion.yaml")
    wiki.write(".companion/companion.yaml", f"{settings}\nexpire: {days}\n")
    wiki.commit("how long a note may wait")


def waiting(wiki: Wiki) -> list[str]:
    journal = wiki.journal()
    return [one.capture.id for one in journal.unsettled(who=wiki.ws.who)]


def test_nothing_expires_unless_the_settings_say_so(wiki: Wiki) -> None:
    (id,) = waiting(wiki)
    wiki.tick(days=4000)
    wiki.consolidate()

    assert waiting(wiki) == [id]
    assert wiki.events("expired") == []


def test_it_expires_on_record_once_and_its_bytes_stay(wiki: Wiki) -> None:
    (id,) = waiting(wiki)
    allow(wiki, 30)
    wiki.tick(days=31)
    night = wiki.consolidate()
    wiki.tick(days=1)
    wiki.consolidate()

    assert night["waiting"] == []
    assert any("1 note expired" in note for note in night["notes"])
    (line,) = wiki.events("expired")
    assert (line["capture"], "30 days" in line["reason"]) == (id, True)
    assert wiki.events("rejected") == []
    assert waiting(wiki) == []
    assert (wiki.show(id)["state"], wiki.show(id)["text"]) == (
        "expired",
        BOILER,
    )
    told = [event["event"] for event in explain_target(wiki.ws, id)["events"]]
    assert told == ["ingested", "expired"]


def test_it_does_not_expire_before_its_days_or_in_a_dry_run(wiki: Wiki) -> None:
    (id,) = waiting(wiki)
    allow(wiki, 30)
    wiki.tick(days=29)
    wiki.consolidate()
    wiki.tick(days=2)
    wiki.consolidate(dry_run=True)

    assert waiting(wiki) == [id]
    assert wiki.events("expired") == []


@pytest.mark.parametrize("way", ["told again", "undo"])
def test_it_comes_back(wiki: Wiki, way: str) -> None:
    (id,) = waiting(wiki)
    allow(wiki, 30)
    wiki.tick(days=31)
    wiki.consolidate()
    wiki.tick()

    if way == "undo":
        assert find_dropped(wiki.ws, id[:8]) == id
        bring_back(wiki.ws, id)
    else:
        wiki.ingest(BOILER)

    assert waiting(wiki) == [id]
    (one,) = wiki.consolidate()["integrated"]
    assert one["capture"] == id


def test_what_is_private_or_waits_for_a_judge_never_expires(wiki: Wiki) -> None:
    wiki.ingest(SALARY, scope="private")
    before = waiting(wiki)
    allow(wiki, 1)
    wiki.tick(days=90)
    wiki.consolidate()

    (left,) = waiting(wiki)
    assert left in before
    assert wiki.show(left)["text"] == SALARY


def test_a_night_that_stops_after_its_record_is_finished_by_the_next(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    (id,) = waiting(wiki)
    allow(wiki, 30)
    wiki.tick(days=31)

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(
            "companion.operations.consolidate.run.take_back_expired", stop
        )
        with pytest.raises(KeyboardInterrupt):
            wiki.consolidate()
    assert waiting(wiki) == [id]
    wiki.tick(days=1)
    wiki.consolidate()

    assert waiting(wiki) == []
    assert len(wiki.events("expired")) == 1
    assert wiki.show(id)["state"] == "expired"


def test_a_lost_journal_still_knows_it_from_git(wiki: Wiki) -> None:
    (id,) = waiting(wiki)
    allow(wiki, 30)
    wiki.tick(days=31)
    wiki.consolidate()
    for file in Path(wiki.ws.place.state).glob("journal.db*"):
        file.unlink()

    assert wiki.journal().is_withdrawn(id)
    assert waiting(wiki) == []


def test_days_are_counted_back_in_the_same_writing() -> None:
    then = leave_buffer._go_back("2026-03-31T10:00:00.000000Z", 30)
    assert then == "2026-03-01T10:00:00.000000Z"
