"""Two machines with the same notes: one sleeps by a lease; without a network both do, and nothing
is there twice.
"""

from pathlib import Path
from typing import Any

import pytest

from companion.errors import CompanionError
from companion.maintenance.remotes import remote
from companion.reading.status import describe_wiki
from companion.sleep import night, share_nights
from companion.sleep.decision.state import Body
from companion.sleep.machine.readings import SimulatedBody
from companion.sleep.night import Order
from companion.storage.git import lease
from tests.wiki import Wiki, check_health, check_index, git

AT_HOME = Body(load=0.1, on_mains=True, metered=False, free=1 << 36)
NOTES = (
    "# Boiler\n\nThe boiler was serviced on Monday.",
    "# Garden\n\nThe garden needs water in May.",
    "# Boiler\n\nThe boiler leaks again.",
)


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """A bare repository that both machines reach."""
    folder = tmp_path / "shelf.git"
    git(tmp_path, "init", "-q", "--bare", "-b", "main", str(folder))
    return folder


@pytest.fixture
def desk(tmp_path: Path, shelf: Path) -> Wiki:
    wiki = Wiki.new(tmp_path / "desk")
    remote.add(wiki.ws, "shelf", str(shelf))
    wiki.git("push", "-q", "shelf", "HEAD")
    return wiki


@pytest.fixture
def laptop(desk: Wiki, tmp_path: Path, shelf: Path) -> Wiki:
    wiki = desk.clone(tmp_path / "laptop")
    remote.add(wiki.ws, "shelf", str(shelf))
    return wiki


def tell(wiki: Wiki, *texts: str) -> None:
    wiki.ingest(*texts)
    remote.sync(wiki.ws, "shelf")


def sleep(wiki: Wiki, body: Body = AT_HOME, **order: Any) -> dict[str, Any]:
    return dict(
        night.sleep(
            wiki.ws,
            Order(**order),
            exchange=remote.sync,
            readings=SimulatedBody(body),
        )
    )


def pages(wiki: Wiki) -> dict[str, str]:
    listed = wiki.git("ls-files", "*.md").split("\n")
    return {
        path.strip('"'): wiki.read(path)
        for path in listed
        if path and '"' not in path
    }


def test_one_of_two_sleeps_and_the_other_has_its_notes_taken_in(
    desk: Wiki, laptop: Wiki
) -> None:
    desk.ingest(NOTES[0])
    laptop.now = desk.now
    laptop.ingest(NOTES[1])
    for wiki in (desk, laptop):
        wiki.tick(hours=3)

    assert sleep(desk)["outcome"] == "slept"
    other = sleep(laptop)
    assert other["decision"]["kind"] == "leased"

    # the laptop's note travelled all the same, and the desk's next night has it
    desk.tick(days=2)
    assert sleep(desk)["outcome"] == "slept"
    assert desk.search("garden")


def test_the_remote_is_not_asked_at_every_wake(
    desk: Wiki, laptop: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.ingest(NOTES[0])
    laptop.now = desk.now
    laptop.ingest(NOTES[1])
    for wiki in (desk, laptop):
        wiki.tick(hours=3)
    sleep(desk)
    asked = []
    take = lease.take_lease

    def count(*args: Any) -> Any:
        asked.append(args)
        return take(*args)

    monkeypatch.setattr(share_nights, "take_lease", count)
    for _ in range(10):
        assert sleep(laptop, unattended=True)["decision"]["kind"] == "leased"
        laptop.tick(minutes=20)
    assert len(asked) == 2


def test_a_lease_ends(desk: Wiki, laptop: Wiki) -> None:
    desk.ingest(NOTES[0])
    desk.tick(hours=3)
    sleep(desk)
    laptop.now = desk.now
    laptop.ingest(NOTES[1])
    laptop.tick(days=4, hours=3)
    assert sleep(laptop)["outcome"] == "slept"


def test_only_one_of_two_gets_the_lease(desk: Wiki, laptop: Wiki) -> None:
    now = desk.ws.now()
    assert lease.take_lease(desk.ws.place, "shelf", "aaaa", now, 12) is None
    held = lease.take_lease(laptop.ws.place, "shelf", "bbbb", now, 12)
    assert held is not None and held.holder == "aaaa"
    assert lease.take_lease(desk.ws.place, "shelf", "aaaa", now, 24) is None
    later = "2027-01-01T00:00:00.000000Z"
    assert lease.take_lease(laptop.ws.place, "shelf", "bbbb", later, 12) is None


def test_a_race_for_the_lease_has_one_winner(
    desk: Wiki, laptop: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both looked before either wrote."""
    now = desk.ws.now()
    read = lease._read
    looks = []

    def look(place: Any, name: str) -> Any:
        found = read(place, name)
        looks.append(place)
        if len(looks) == 1:
            monkeypatch.setattr(lease, "_read", read)
            assert (
                lease.take_lease(laptop.ws.place, name, "bbbb", now, 12) is None
            )
        return found

    monkeypatch.setattr(lease, "_read", look)
    held = lease.take_lease(desk.ws.place, "shelf", "aaaa", now, 12)
    assert held is not None and held.holder == "bbbb"


def test_without_a_network_two_nights_of_the_same_notes_give_one_tree(
    desk: Wiki, laptop: Wiki, shelf: Path
) -> None:
    tell(desk, *NOTES)
    remote.sync(laptop.ws, "shelf")
    shelf.rename(shelf.with_name("gone"))
    laptop.now = desk.now
    for wiki in (desk, laptop):
        wiki.tick(hours=3)
        doc = sleep(wiki)
        assert doc["outcome"] == "slept", doc
        assert doc["exit_code"] == 0

    alone = pages(desk)
    assert pages(laptop) == alone
    laptop.git("fetch", "-q", str(desk.root), "HEAD")
    laptop.git("merge", "-q", "-m", "together", "FETCH_HEAD")
    laptop.tick(days=1)
    sleep(laptop, asked=True)
    assert pages(laptop) == alone, "nothing is there twice"
    assert laptop.consolidate()["run"] is None
    check_index(laptop)
    check_health(laptop)


def test_a_metered_network_is_left_alone(desk: Wiki, shelf: Path) -> None:
    desk.ingest(NOTES[0])
    desk.tick(hours=3)
    before = git(shelf, "for-each-ref")
    doc = sleep(desk, AT_HOME._replace(metered=True))
    assert doc["outcome"] == "slept"
    assert doc["steps"][0]["name"] == "adopt"
    assert git(shelf, "for-each-ref") == before


def test_it_says_that_another_night_waits_to_be_merged(
    desk: Wiki, laptop: Wiki
) -> None:
    desk.ingest(NOTES[0])
    desk.tick(hours=3)
    sleep(desk)
    desk.git("push", "-q", "shelf", "HEAD")
    laptop.now = desk.now
    laptop.tick(days=4)
    laptop.ingest(NOTES[1])
    laptop.tick(hours=3)
    doc = sleep(laptop, asked=True)
    words = "shelf has 1 commit that this branch lacks"
    assert doc["steps"][0]["words"].startswith(words)
    # the morning says so until it was merged
    (note,) = describe_wiki(laptop.ws)["notes"]
    assert note.startswith(words)
    laptop.git("pull", "-q", "--no-edit", "--no-rebase", "shelf", "HEAD")
    assert describe_wiki(laptop.ws)["notes"] == []


def test_what_the_network_refuses_is_no_failure(desk: Wiki) -> None:
    desk.ingest(NOTES[0])
    desk.tick(hours=3)

    def refuse(*args: Any) -> None:
        raise CompanionError("the remote did not answer")

    doc = night.sleep(
        desk.ws,
        Order(asked=True),
        exchange=refuse,
        readings=SimulatedBody(AT_HOME),
    )
    assert doc["steps"][0]["outcome"] == "skipped"
    assert doc["exit_code"] == 0 and doc["outcome"] == "slept"


def test_a_page_that_two_machines_began_counts_once_among_its_namesakes(
    desk: Wiki, laptop: Wiki
) -> None:
    note = "# Bern\n\nEve wants to go to Bern, see [[Eve]]."
    laptop.tick(days=100)
    laptop.ingest(note)
    laptop.consolidate()
    laptop.git("push", "-q", "shelf", "HEAD:main")
    desk.ingest(note)
    desk.consolidate()
    desk.git("fetch", "-q", "shelf")
    desk.git("merge", "-q", "-m", "together", "shelf/main")
    desk.now = laptop.now
    desk.ingest("The boiler was serviced.")

    desk.consolidate()

    named = [path for path in pages(desk) if "Bern" in path]
    assert named == ["entries/2026/11/Bern.md"]
    check_health(desk)
