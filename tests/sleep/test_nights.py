"""The record of nights survives torn lines, grows slowly, and says when in local time."""

from pathlib import Path

import pytest

from companion.sleep import nights
from companion.sleep.nights import NightRecord, StepRecord
from tests.wiki import Wiki
from tests.zone import BERLIN, set_zone


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def record(
    day: int, outcome: str = nights.SLEPT, kind: str = "due"
) -> NightRecord:
    at = f"2026-11-{day:02}T04:45:00+01:00"
    steps = ()
    if outcome != nights.WAITED:
        steps = (
            StepRecord(
                "adopt", "nothing", 0.2, None, "No page was changed by hand."
            ),
        )
    return NightRecord(
        at, at, outcome, "night", "You were away.", kind, None, steps
    )


def test_records_come_back_in_order(wiki: Wiki) -> None:
    written = [record(day) for day in (1, 2, 3)]
    for each in written:
        nights.write_record(wiki.ws.place, each)

    assert nights.read_nights(wiki.ws) == written
    assert nights.read_nights(wiki.ws, 2) == written[1:]


def test_a_day_of_waiting_is_one_record(wiki: Wiki) -> None:
    for _ in range(70):
        nights.write_record(wiki.ws.place, record(1, nights.WAITED, "in use"))
    nights.write_record(wiki.ws.place, record(1, nights.WAITED, "on battery"))
    nights.write_record(wiki.ws.place, record(2, nights.WAITED, "on battery"))

    counted = [(each.kind, each.wakes) for each in nights.read_nights(wiki.ws)]
    assert counted == [("in use", 70), ("on battery", 1), ("on battery", 1)]


def test_a_torn_line_hides_no_other(wiki: Wiki) -> None:
    nights.write_record(wiki.ws.place, record(1))
    path = Path(wiki.ws.place.state, nights.NAME)
    path.write_bytes(path.read_bytes() + b'{"started": "2026-\n')
    nights.write_record(wiki.ws.place, record(2))

    assert nights.read_nights(wiki.ws) == [record(1), record(2)]


def test_the_file_is_set_aside_before_it_grows_large(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nights, "FULL", 2000)
    for day in range(1, 29):
        nights.write_record(wiki.ws.place, record(day))

    files = [
        Path(wiki.ws.place.state, name) for name in (nights.NAME, nights.OLDER)
    ]
    assert all(file.stat().st_size < 2600 for file in files)
    assert nights.read_nights(wiki.ws)[-1] == record(28)


def test_times_have_the_offset_of_their_own_day(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    set_zone(monkeypatch, BERLIN)
    summer = nights.local_time("2026-07-01T02:45:00.000000Z")
    assert summer == "2026-07-01T04:45:00+02:00"
    winter = nights.local_time("2026-12-01T02:45:00.000000Z")
    assert winter == "2026-12-01T03:45:00+01:00"
