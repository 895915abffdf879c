"""`drop` takes back what waits: unseen at once, rejected by the night, kept, and back at a word."""

from pathlib import Path

import pytest

from companion.maintenance.withdraw import (
    NotWaiting,
    NotYours,
    bring_back,
    drop,
    find_dropped,
    find_last_dropped,
)
from companion.reading.overview.list_pages import Asked, list_pages
from companion.reading.why import explain_target
from companion.storage.git import capture_buffer
from companion.storage.journal.journal import Journal
from tests.wiki import Wiki

KEY = "The spare key lies under the blue pot."
BAKERY = "The bakery closes at five."


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def tell(wiki: Wiki, text: str = KEY, **about: str) -> str:
    return str(wiki.ingest(text, **about)[0]["id"])


def waiting(wiki: Wiki) -> list[str]:
    journal = wiki.journal()
    return [one.capture.id for one in journal.unsettled(who=wiki.ws.who)]


def test_what_is_dropped_is_unseen_at_once(wiki: Wiki) -> None:
    id, other = tell(wiki), tell(wiki, BAKERY)
    wiki.tick()

    assert (
        drop(wiki.ws, id[:12])["title"]
        == "The spare key lies under the blue pot"
    )

    assert waiting(wiki) == [other]
    assert wiki.search("spare key") == []
    assert wiki.journal().open_count(wiki.ws.who) == 1
    assert wiki.show(id)["state"] == "dropped"
    assert wiki.show(id)["text"] == KEY


def test_a_waiting_note_is_dropped_by_its_words(wiki: Wiki) -> None:
    id, _ = tell(wiki), tell(wiki, BAKERY)
    wiki.tick()
    assert drop(wiki.ws, "the spare key lies")["capture"] == id
    assert wiki.show(id)["state"] == "dropped"


def test_the_next_night_rejects_it_once_with_the_reason(wiki: Wiki) -> None:
    id = tell(wiki)
    wiki.tick()
    drop(wiki.ws, id)

    assert wiki.consolidate()["integrated"] == []
    wiki.consolidate()

    (line,) = wiki.events("rejected")
    assert (line["capture"], "taken back" in line["reason"]) == (id, True)
    told = [event["event"] for event in explain_target(wiki.ws, id)["events"]]
    assert told == ["ingested", "rejected"]


@pytest.mark.parametrize("night", [False, True])
@pytest.mark.parametrize("way", ["told again", "undo"])
def test_it_comes_back(wiki: Wiki, way: str, night: bool) -> None:
    id = tell(wiki)
    wiki.tick()
    drop(wiki.ws, id)
    if night:
        wiki.consolidate()
    wiki.tick()

    if way == "undo":
        assert find_dropped(wiki.ws, id[:8]) == id
        assert not bring_back(wiki.ws, id)["dropped"]
    else:
        assert tell(wiki) == id

    assert waiting(wiki) == [id]
    (one,) = wiki.consolidate()["integrated"]
    assert one["capture"] == id


def test_a_lost_journal_still_knows_it_from_git(wiki: Wiki) -> None:
    id = tell(wiki)
    wiki.tick()
    drop(wiki.ws, id)
    for file in Path(wiki.ws.place.state).glob("journal.db*"):
        file.unlink()

    assert wiki.journal().is_withdrawn(id)
    assert waiting(wiki) == []


def test_another_machine_hears_of_it(wiki: Wiki, tmp_path: Path) -> None:
    """In either order: first the note, or both at once."""
    id = tell(wiki)
    capture_buffer.anchor(wiki.journal(), wiki.repo())
    first = list(capture_buffer.read(wiki.repo()))
    wiki.tick()
    drop(wiki.ws, id)
    both = list(capture_buffer.read(wiki.repo()))

    for number, steps in enumerate([[first, both], [both], [both, first]]):
        journal = Journal.open(str(tmp_path / f"other-{number}" / "journal.db"))
        for items in steps:
            journal.take_in(items, (), {})
        assert journal.is_withdrawn(id)


def test_an_assistant_drops_only_what_it_told(wiki: Wiki) -> None:
    id = tell(wiki)
    wiki.tick()
    with pytest.raises(NotYours):
        drop(wiki.as_("claude"), id)
    wiki.ingest(KEY, agent="claude")
    wiki.tick()

    drop(wiki.as_("claude"), id)

    assert waiting(wiki) == [id]
    assert [one.agent for one in wiki.journal().sightings(id)] == [None]


def test_the_owner_drops_what_an_assistant_told_but_no_private_note(
    wiki: Wiki,
) -> None:
    shared = tell(wiki, agent="claude")
    tell(wiki, BAKERY, agent="claude", scope="private")
    id = tell(wiki, BAKERY)
    wiki.tick()

    drop(wiki.ws, shared)
    drop(wiki.ws, id)

    assert waiting(wiki) == []
    assert wiki.search("bakery") == []
    journal = wiki.journal()
    (left,) = journal.unsettled(who="claude")
    assert left.capture.id == id


def test_a_private_note_leaves_its_owner_view_and_no_trace_in_the_ledger(
    wiki: Wiki,
) -> None:
    id = tell(wiki, "Anna's phone is 555 0199.", scope="private")
    wiki.tick()
    drop(wiki.ws, id)

    assert waiting(wiki) == []
    wiki.consolidate()
    assert wiki.events("rejected") == []


def test_what_a_night_has_read_is_not_dropped(wiki: Wiki) -> None:
    id = tell(wiki)
    wiki.consolidate()

    with pytest.raises(NotWaiting, match="a night has read"):
        drop(wiki.ws, id)
    with pytest.raises(NotWaiting, match="was not dropped"):
        bring_back(wiki.ws, id)


def test_a_dry_run_changes_nothing(wiki: Wiki) -> None:
    id = tell(wiki)
    wiki.tick()

    assert drop(wiki.ws, id, dry_run=True)["dry_run"]

    assert waiting(wiki) == [id]
    assert find_last_dropped(wiki.ws) is None


def test_it_is_in_no_list(wiki: Wiki) -> None:
    id = tell(wiki)
    wiki.tick()
    drop(wiki.ws, id)

    assert list_pages(wiki.ws, Asked(), limit=9)["items"] == []
