"""Clocks that are wrong: set back, set to 2099, right after a long absence; times that people
give.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.maintenance.remotes import remote as remotes
from companion.reading import review
from companion.reading.entry.show import show_target
from companion.reading.log import list_runs
from companion.reading.status import describe_wiki
from companion.reading.why import explain_target
from companion.values import time as times
from tests.maintenance.machines import another, sync
from tests.wiki import START, Wiki, check_index, git, list_values


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest("Anna lives in Bern.")
    wiki.consolidate()
    return wiki


def values(wiki: Wiki, **more: Any) -> list[str]:
    return list_values(wiki.ws, "Anna", **more)


def shown(wiki: Wiki, id: str) -> tuple[str, str]:
    (telling,) = show_target(wiki.ws, id)["sightings"]
    return telling["seen_at"], telling["event_time"]


def at_2099(wiki: Wiki, tell: Callable[[], Any]) -> Any:
    before, wiki.now = wiki.now, datetime(2099, 1, 1, tzinfo=UTC)
    told = tell()
    wiki.now = before
    return told


def test_what_a_machine_set_to_2099_is_told_does_not_stay_the_newest(
    wiki: Wiki,
) -> None:
    told = at_2099(wiki, lambda: wiki.ingest("Anna lives in Rome."))[0]
    assert (
        "not believed"
        in at_2099(wiki, lambda: describe_wiki(wiki.ws)["notes"])[-1]
    )
    seen_at, event_time = shown(wiki, told["id"])
    assert (
        seen_at[:10] == event_time[:10] == "2026-11-01" and seen_at > event_time
    )
    assert (
        "doubtful" in explain_target(wiki.ws, told["id"])["events"][0]["reason"]
    )
    run = at_2099(wiki, wiki.consolidate)["run"]
    assert run.startswith("2026-11-01")
    assert values(wiki) == ["Rome"]
    wiki.ingest("Anna lives in Oslo.")
    wiki.consolidate()
    assert values(wiki) == ["Oslo"]
    assert not [
        note for note in describe_wiki(wiki.ws)["notes"] if "clock" in note
    ]
    check_index(wiki)


def test_the_first_words_of_a_machine_nineteen_years_ahead_reach_the_other(
    tmp_path: Path,
) -> None:
    """The machine that made the wiki judges its clock by the run that began it, as clones do."""
    git(tmp_path, "init", "-q", "--bare", "--initial-branch=main", "hub.git")
    hub = tmp_path / "hub.git"
    desk = Wiki.new(tmp_path / "desk")
    remotes.add(desk.ws, "hub", str(hub))
    desk.git("push", "-q", "hub", "main")
    laptop = another(tmp_path / "laptop", hub, desk)

    desk.tick(days=19 * 365)
    told = desk.ingest("Ben lives in Rome.")[0]
    assert "not believed" in describe_wiki(desk.ws)["notes"][-1]
    sync(desk)

    assert sync(laptop)["set_aside"] == []
    laptop.consolidate()
    assert list_values(laptop.ws, "Ben") == ["Rome"]
    assert shown(laptop, told["id"])[0][:10] == "2026-11-01"


@pytest.mark.parametrize("began", [1970, 2007])
def test_a_wiki_that_began_before_this_program_believes_a_clock_put_right(
    tmp_path: Path, began: int
) -> None:
    """A machine whose clock lost its battery starts there, and learns the time later."""
    wiki = Wiki(tmp_path / "wiki", datetime(began, 1, 1, tzinfo=UTC))
    wiki.root.mkdir()
    wiki.init()
    for city in ("Bern", "Rome"):
        wiki.ingest(f"Anna lives in {city}.")
        wiki.now = START
    told = wiki.ingest("Anna lives in Oslo.")[0]
    assert shown(wiki, told["id"])[0][:10] == "2026-11-01"
    wiki.consolidate()
    assert values(wiki) == ["Oslo"]
    assert not [
        note for note in describe_wiki(wiki.ws)["notes"] if "clock" in note
    ]
    check_index(wiki)


def test_a_plan_for_the_future_is_none_of_today_though_the_clock_says_2099(
    wiki: Wiki,
) -> None:
    wiki.ingest("Anna lives in Rome.", event_time="2050-01-01T00:00:00.000000Z")
    wiki.consolidate()
    assert values(wiki) == at_2099(wiki, lambda: values(wiki)) == ["Bern"]
    assert values(wiki, as_of="2051") == ["Rome"]


@pytest.mark.parametrize("weeks", [1, 6, 52, 52 * 15])
def test_no_holiday_is_disturbed(wiki: Wiki, weeks: int) -> None:
    wiki.tick(weeks=weeks)
    told = wiki.ingest("Anna lives in Rome.")[0]
    assert shown(wiki, told["id"]) == (times.format_instant(wiki.now),) * 2
    wiki.consolidate()
    assert values(wiki) == ["Rome"]


def test_a_clock_that_somebody_confirms_is_believed(wiki: Wiki) -> None:
    wiki.now = START.replace(year=2060)
    given = times.format_instant(wiki.now)
    wiki.ingest("It is a new age.", event_time=given)
    told = wiki.ingest("Anna lives in Rome.")[0]
    assert (
        shown(wiki, told["id"])[0][:4]
        == shown(wiki, told["id"])[1][:4]
        == "2060"
    )


def test_a_wiki_that_began_in_2099_comes_back_to_its_own_time(
    tmp_path: Path,
) -> None:
    wiki = Wiki(tmp_path / "wiki", datetime(2099, 1, 1, tzinfo=UTC))
    wiki.root.mkdir()
    wiki.init()
    wiki.ingest("Anna lives in Bern.")
    wiki.consolidate()
    wiki.now = START
    told = wiki.ingest("Anna lives in Rome.")[0]
    # the order of what was told stays
    assert shown(wiki, told["id"])[0][:4] == "2099"
    assert shown(wiki, told["id"])[1][:10] == "2026-11-01"
    assert [note for note in describe_wiki(wiki.ws)["notes"] if "2099" in note]
    wiki.consolidate()
    assert values(wiki) == ["Rome"]
    check_index(wiki)


def test_a_clock_set_back_reorders_nothing(wiki: Wiki) -> None:
    for back, city in (
        (timedelta(hours=3), "Rome"),
        (timedelta(days=365), "Oslo"),
        (timedelta(days=365 * 56), "Kiel"),
    ):
        wiki.now = START - back
        wiki.ingest(f"Anna lives in {city}.")
        wiki.consolidate()
        assert values(wiki) == [city]
    before = list_runs(wiki.ws)["runs"]
    assert [run["time"] for run in before] == sorted(
        (run["time"] for run in before), reverse=True
    )


instants = st.integers(0, 7_000_000_000).map(
    lambda second: times.format_instant(datetime.fromtimestamp(second, UTC))
)


@given(
    st.lists(
        st.tuples(instants, st.none() | instants), min_size=1, max_size=12
    ),
    st.none() | instants,
)
def test_transaction_times_grow_whatever_the_clock_says(
    steps: list[tuple[str, str | None]], trusted: str | None
) -> None:
    last: str | None = None
    for clock, said in steps:
        moment = times.moment(clock, last, trusted, said)
        assert last is None or moment.transaction > last
        known = max(last or "", trusted or "")
        if not known or not times.is_far(clock, max(known, times.MADE)):
            assert moment.transaction == times.next_transaction(clock, last)
        elif said is None:
            assert moment.transaction < clock
        assert moment.event <= moment.transaction
        last = moment.transaction


@pytest.mark.parametrize(
    "given",
    [
        "2026-02-29",
        "2026-13-01",
        "2026-11-01T25:00",
        "2026-11-01T12:00+24:00",
        "2026-11-01T12:00Z+01:00",
        "0000-01-01",
        "0001-01-01T00:00+01:00",
        "9999-12-31T23:59:59-01:00",
        "10000-01-01",
        "yesterday",
        "",
        " ",
        "2026-11-01T12:61",
    ],
)
def test_impossible_times_are_named_and_nothing_is_stored(
    wiki: Wiki, given: str
) -> None:
    from companion.operations.triage import capture
    from companion.values.captures import Draft

    before = wiki.journal().counts()
    done = capture.ingest(
        wiki.ws, [Draft("words", event_time=given, origin="line 7")]
    )
    assert [
        (item["kind"], "event_time" in item["reason"], bool(item["hint"]))
        for item in done["refused"]
    ] == [("field", True, True)]
    assert wiki.journal().counts() == before


def test_a_dispute_of_today_is_none_that_a_note_of_2099_settles(
    tmp_path: Path,
) -> None:
    wiki = Wiki(tmp_path / "wiki", datetime(2099, 1, 1, tzinfo=UTC))
    wiki.root.mkdir()
    wiki.init()
    wiki.ingest("Anna lives in Oslo.")
    wiki.consolidate()
    wiki.now = START
    for source, city in (("mail", "Bern"), ("chat", "Rome")):
        wiki.ingest(
            f"Anna lives in {city}.",
            source=source,
            event_time="2026-10-01T00:00:00.000000Z",
        )
        wiki.consolidate()
    assert values(wiki) == ["Bern", "Rome"]
    (question,) = [
        item
        for item in review.list_review(wiki.ws)["items"]
        if item["kind"] == "disputed"
    ]
    assert sorted(each["object"] for each in question["claims"]) == [
        "Bern",
        "Rome",
    ]
    check_index(wiki)
