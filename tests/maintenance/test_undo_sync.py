"""`remote undo` takes back what a sync brought, as far as no night has read it."""

import pytest

from companion.maintenance.remotes.remote import NoSuchRemote
from companion.maintenance.remotes.undo_sync import undo_sync
from companion.maintenance.withdraw import bring_back
from tests.maintenance.machines import name_of, sync, told
from tests.wiki import Wiki

THEIRS = "The boat is moored at pier 7."
OTHER = "The key hangs in the shed."


def waiting(wiki: Wiki) -> set[str]:
    pending = wiki.journal().unsettled(who=wiki.ws.who)
    return {one.capture.id for one in pending}


@pytest.fixture
def brought(desk: Wiki, laptop: Wiki) -> Wiki:
    """The desk, with a note of its own and two that a sync has brought."""
    desk.ingest("mine")
    laptop.ingest(THEIRS)
    laptop.ingest(OTHER)
    sync(laptop)
    sync(desk)
    desk.tick()
    return desk


def test_what_a_sync_brought_waits_no_longer_and_is_kept(brought: Wiki) -> None:
    doc = undo_sync(brought.ws)

    ids = {each["capture"] for each in doc["taken_back"]}
    assert ids == {name_of(THEIRS), name_of(OTHER)}
    assert waiting(brought) == {name_of("mine")}
    assert name_of(THEIRS) in told(brought), "the bytes stay"
    night = brought.consolidate()
    assert [each["capture"] for each in night["integrated"]] == [
        name_of("mine")
    ]


def test_the_other_machine_hears_of_it_and_nothing_comes_again(
    brought: Wiki, laptop: Wiki
) -> None:
    undo_sync(brought.ws)

    assert sync(brought)["received"]["captures"] == 0
    laptop.now = brought.now
    sync(laptop)

    assert name_of(THEIRS) not in waiting(laptop)


def test_a_note_is_brought_back_by_undo(brought: Wiki) -> None:
    undo_sync(brought.ws)
    brought.tick()

    bring_back(brought.ws, name_of(THEIRS))

    assert waiting(brought) == {name_of("mine"), name_of(THEIRS)}


def test_a_dry_run_changes_nothing(brought: Wiki) -> None:
    doc = undo_sync(brought.ws, dry_run=True)

    assert len(doc["taken_back"]) == 2
    assert len(waiting(brought)) == 3


def test_what_a_night_has_read_stays_and_its_run_is_named(
    brought: Wiki,
) -> None:
    run = brought.consolidate()["run"]

    doc = undo_sync(brought.ws)

    assert doc["taken_back"] == []
    assert doc["read"] == [{"run": run, "captures": 2}]


def test_what_was_told_again_since_stays(brought: Wiki) -> None:
    brought.ingest(THEIRS, source="me")
    brought.tick()

    doc = undo_sync(brought.ws)

    assert [each["title"] for each in doc["taken_back"]] == [OTHER[:-1]]
    assert doc["told_since"] == 1
    assert name_of(THEIRS) in waiting(brought)


def test_a_sync_that_brings_nothing_does_not_hide_the_one_before(
    brought: Wiki,
) -> None:
    sync(brought)

    assert len(undo_sync(brought.ws)["taken_back"]) == 2


def test_twice_takes_nothing_more(brought: Wiki) -> None:
    undo_sync(brought.ws)
    brought.tick()

    assert undo_sync(brought.ws)["taken_back"] == []


def test_a_remote_that_is_none_is_said(brought: Wiki) -> None:
    with pytest.raises(NoSuchRemote):
        undo_sync(brought.ws, "nowhere")
