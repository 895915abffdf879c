"""Nights while the clock on the wall jumps: both changes of summer time, and a traveller."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from companion.sleep import night as nights_work
from companion.sleep import nights
from companion.sleep.decision.state import Body
from companion.sleep.machine.readings import SimulatedBody
from companion.sleep.night import Order
from tests.wiki import Wiki, check_health
from tests.zone import BERLIN, NEW_YORK, set_zone

GOOD = Body(
    load=0.1, heat=0.4, on_mains=True, battery=0.9, metered=False, free=1 << 36
)
WAKE = timedelta(minutes=20)
DAYS = 7  # of use before the night in question
NOTES = 3  # each morning and each evening: enough for a night a day


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def use(wiki: Wiki, first: datetime, days: int) -> None:
    """Tell notes at 08:10 and at 21:40 by the clock on the wall, for *days* days from *first*."""
    for day in range(days):
        for hour, minute in ((8, 10), (21, 40)):
            wall = first + timedelta(days=day, hours=hour, minutes=minute)
            wiki.now = wall.astimezone(UTC)
            for number in range(NOTES):
                wiki.ingest(f"Note {number} of {wall:%d %B %H} o'clock.")
        if day == days - 2:  # nothing is overdue
            wiki.tick(hours=1)
            nights_work.sleep(
                wiki.ws, Order(asked=True), readings=SimulatedBody(GOOD)
            )


def wake_until(wiki: Wiki, end: datetime) -> list[dict[str, Any]]:
    """Let a timer wake it until *end*; return the nights that it slept."""
    slept = []
    while wiki.now < end:
        doc = dict(
            nights_work.sleep(
                wiki.ws,
                Order(unattended=True),
                readings=SimulatedBody(GOOD),
                pause=lambda seconds: None,
            )
        )
        if doc["outcome"] != nights.WAITED:
            slept.append(doc)
        wiki.now += WAKE
    return slept


# 01:00 UTC is when Central Europe changes: to 02:00 in autumn, to 03:00 in spring
@pytest.mark.parametrize(
    ("sunday", "before", "after"),
    [
        (datetime(2026, 10, 25, tzinfo=UTC), 120, 60),
        (datetime(2027, 3, 28, tzinfo=UTC), 60, 120),
    ],
    ids=["an hour twice", "an hour missing"],
)
def test_a_night_over_a_change_of_summer_time_comes_once_and_in_time(
    wiki: Wiki,
    monkeypatch: pytest.MonkeyPatch,
    sunday: datetime,
    before: int,
    after: int,
) -> None:
    set_zone(monkeypatch, BERLIN)
    wall = (sunday - timedelta(days=DAYS)).replace(tzinfo=None)
    use(wiki, wall, DAYS)
    wiki.now = sunday - timedelta(minutes=before)  # midnight on the wall

    slept = wake_until(wiki, sunday + timedelta(minutes=480 - after))

    assert [doc["outcome"] for doc in slept] == [nights.SLEPT]
    (record,) = [
        each
        for each in nights.read_nights(wiki.ws)
        if each.started == slept[0]["started"]
    ]
    began = datetime.fromisoformat(record.started)
    assert began <= datetime.fromisoformat(record.ended)
    changes = sunday + timedelta(hours=1)
    offset = after if began >= changes else before
    assert began.utcoffset() == timedelta(minutes=offset)
    # free from 22:00 to 08:00: it lies in the middle, and ends before the person begins
    assert 1 <= began.hour <= 4
    assert record.done_by is not None
    done_by = datetime.fromisoformat(record.done_by)
    assert done_by <= (wall + timedelta(days=DAYS, hours=8)).astimezone(UTC)
    assert len(wiki.events("consumed")) == 2 * NOTES * DAYS
    check_health(wiki)


def test_a_night_that_goes_on_while_the_hour_comes_twice_is_no_clock_set_back(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the wall it ends before it began: 02:50 to 02:10. Its record has the offsets."""
    set_zone(monkeypatch, BERLIN)
    wiki.now = datetime(2026, 10, 24, 20, 0, tzinfo=UTC)
    wiki.ingest("Anna moved to Kiel.")
    started = "2026-10-25T00:50:00Z"
    ended = "2026-10-25T01:10:00Z"
    record = nights.NightRecord(
        nights.local_time(started),
        nights.local_time(ended),
        nights.SLEPT,
        "night",
        "Nobody is here.",
        "quiet",
        None,
        (),
    )
    nights.write_record(wiki.ws.place, record)
    (found,) = nights.read_nights(wiki.ws)

    assert found.started[11:16] == "02:50" and found.ended[11:16] == "02:10"
    lasted = datetime.fromisoformat(found.ended) - datetime.fromisoformat(
        found.started
    )
    assert lasted == timedelta(minutes=20)
    wiki.now = datetime(2026, 10, 25, 3, 0, tzinfo=UTC)
    assert wake_until(wiki, wiki.now + WAKE)[0]["outcome"] == nights.SLEPT


def test_a_travellers_nights_follow_the_clock_of_the_place(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_zone(monkeypatch, BERLIN)
    use(wiki, datetime(2026, 11, 12), DAYS)  # noqa: DTZ001 - on the wall
    midnight = datetime(2026, 11, 19, tzinfo=UTC) - timedelta(minutes=60)
    wiki.now = midnight
    (at_home,) = wake_until(wiki, midnight + timedelta(hours=7))
    assert "+01:00" in at_home["started"]

    set_zone(monkeypatch, NEW_YORK)
    use(wiki, datetime(2026, 11, 19), 2)  # noqa: DTZ001 - on the wall
    midnight = datetime(2026, 11, 21, tzinfo=UTC) + timedelta(hours=5)
    wiki.now = midnight
    (abroad,) = wake_until(wiki, midnight + timedelta(hours=7))

    began = datetime.fromisoformat(abroad["started"])
    assert began.utcoffset() == timedelta(hours=-5)
    assert 1 <= began.hour <= 4, "the night of Berlin is an evening here"
    assert len(wiki.events("consumed")) == 2 * NOTES * (DAYS + 2)
    check_health(wiki)
