"""Clocks that run ahead by weeks or years are believed: what they tell waits for its day, and what
is told once they are right waits nowhere.
"""

import pytest

from companion.maintenance.doctor.run import doctor, examine
from companion.reading.status import describe_wiki
from tests.maintenance.machines import name_of, sync, told
from tests.operations.consolidate.test_run import drop_object
from tests.wiki import Wiki, check_index

NOTE = "The key of the cellar in Bern hangs behind the door."
OTHER = "Ada lives in Rome."
ID = name_of(NOTE)


def tell_ahead(wiki: Wiki, *texts: str, days: int = 40, **about: str) -> None:
    """Tell *texts* while the clock is ahead, send them, and put the clock right."""
    right = wiki.now
    wiki.tick(days=days)
    wiki.ingest(*texts, **about)
    sync(wiki)
    wiki.now = right


def repair(wiki: Wiki) -> list[str]:
    done = doctor(wiki.ws, repair=True)
    assert done["ok"], done["findings"]
    return [one["kind"] for one in done["repaired"]]


@pytest.mark.parametrize("days", [40, 300, 3 * 365])
def test_a_clock_that_was_ahead_is_named_and_repaired(
    laptop: Wiki, desk: Wiki, days: int
) -> None:
    tell_ahead(laptop, NOTE, days=days)
    assert "when the clock said" in describe_wiki(laptop.ws)["notes"][-1]
    assert repair(laptop) == ["journal-ahead"]

    laptop.ingest(OTHER)
    sync(laptop)

    done = sync(desk)
    assert done["received"]["captures"] == 1
    assert [item["capture"] for item in done["set_aside"]] == [ID]
    assert "journal-ahead" not in {one.kind for one in examine(laptop.ws)}
    desk.tick(days=days)
    sync(desk)
    assert told(desk) == told(laptop)


@pytest.mark.parametrize("source", [None, "shelf.md"])
def test_words_told_again_by_a_right_clock_reach_the_others_today(
    laptop: Wiki, desk: Wiki, source: str | None
) -> None:
    tell_ahead(laptop, NOTE, source=source)
    repair(laptop)

    laptop.ingest(NOTE, source=source)
    sync(laptop)

    assert sync(desk)["received"]["captures"] == 1
    assert ID in told(desk)
    assert desk.consolidate()["run"] is not None
    assert NOTE in "".join(path.read_text() for path in desk.root.rglob("*.md"))


def test_words_told_again_by_a_right_clock_are_for_tonight(
    laptop: Wiki,
) -> None:
    tell_ahead(laptop, NOTE)
    repair(laptop)
    laptop.ingest(NOTE)

    assert laptop.consolidate()["run"] is not None

    assert laptop.journal().open_ids() == []
    laptop.tick(days=50)
    laptop.consolidate()
    check_index(laptop)


def test_both_machines_know_the_same_of_it_when_its_day_has_come(
    laptop: Wiki, desk: Wiki
) -> None:
    tell_ahead(laptop, NOTE)
    repair(laptop)
    laptop.ingest(NOTE)
    for wiki in (laptop, desk, laptop):
        sync(wiki)
        wiki.consolidate()
    for wiki in (laptop, desk, laptop, desk):
        wiki.tick(days=41)
        sync(wiki)
    assert told(laptop) == told(desk)
    assert len(told(desk)[ID]) == 2
    check_index(desk)


def test_a_night_goes_on_where_the_bytes_of_one_told_again_are_lost(
    laptop: Wiki,
) -> None:
    tell_ahead(laptop, NOTE)
    repair(laptop)
    laptop.ingest(OTHER, NOTE)
    sync(laptop)
    journal = laptop.journal()
    (capture,) = journal.capture(ID)
    journal.connection.execute(
        "UPDATE captures SET content = NULL WHERE id = ?", (ID,)
    )
    drop_object(laptop, capture.blob)

    done = laptop.consolidate()

    taken = [one["capture"] for one in done["integrated"]]
    assert taken == [name_of(OTHER)]
    assert [one["capture"] for one in done["waiting"]] == [ID]
