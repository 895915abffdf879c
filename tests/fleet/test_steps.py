"""A fleet's night is the ordinary one: pages fade and are tested, and what was read counts."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.fleet.night import sleep_shards
from companion.fleet.protocol import Answer, Job
from companion.fleet.shards import pin
from companion.fleet.work import work
from companion.lookup.search import search_wiki
from companion.operations.decay import run as decaying
from companion.sleep.nights import read_nights
from companion.storage.git import setup
from companion.storage.git.command import GitFailed
from companion.storage.git.objects import Pack
from companion.usage.record_read import record_read, record_search
from companion.values.time import format_instant
from tests.fleet.shards import (
    check_same,
    list_runs,
    runs,
    serial,
    shard,
    sleep_alone,
)
from tests.wiki import Wiki, check_index

WEEKS = 16
QUESTIONS = ("where does Alice live", "staging database", "cellar disk")
SECRET = "marmalade"


def read(wiki: Wiki, words: str) -> None:
    """Search, as a person does, and open the first page that is found."""
    found = search_wiki(wiki.ws, words)
    assert record_search(wiki.ws, found) is None
    for hit in found["results"][:1]:
        assert record_read(wiki.ws, "show", "", [hit["id"]]) is None


def live(wiki: Wiki, week: int) -> None:
    """Tell and read what belongs to one week, every other day."""
    for _ in range(4):
        wiki.tick(days=2)
        read(wiki, QUESTIONS[week % 2])
    if week < 3:
        wiki.ingest_pages(f"Number {week} of the disks is in the cellar.")
    if week == 4:
        wiki.ingest("The staging database runs PostgreSQL 16 now.")


def write_pages(wiki: Wiki) -> None:
    """Let pages link each other, so that some weigh more than others."""
    wiki.write("Cellar.md", "# Cellar\n\nAlice has the key of the cellar.\n")
    for n in range(6):
        text = f"# Disk {n}\n\nDisk {n} lies in the [[Cellar]].\n"
        wiki.write(f"Disk {n}.md", text)
    settings = "vitality: {decaying: 0.5, archived: 0.45}\n"
    path = ".companion/companion.yaml"
    wiki.write(path, wiki.read(path) + settings)
    wiki.commit("pages fade early")
    wiki.adopt()


def sleep_fleet(wiki: Wiki, at: str, *, near: bool) -> list[dict[str, Any]]:
    doc = sleep_shards([str(wiki.root)], at, engine=work, near=near)
    assert doc["exit_code"] == 0, doc
    return [dict(step) for step in doc["shards"][0]["steps"]]


@pytest.mark.parametrize(
    "near", [pytest.param(False, marks=pytest.mark.slow), True]
)
def test_months_of_a_fleets_nights_are_those_of_the_shard_alone(
    tmp_path: Path, near: bool
) -> None:
    wiki = shard(tmp_path)
    write_pages(wiki)
    twin = wiki.copy(tmp_path / "twin")
    done: dict[str, int] = {}
    for week in range(WEEKS):
        for one in (wiki, twin):
            live(one, week)
        sleep_alone(twin)
        for step in sleep_fleet(wiki, format_instant(twin.now), near=near):
            done[step["name"]] = done.get(step["name"], 0) + bool(step["run"])
        wiki.now = twin.now
        assert wiki.head == twin.head, (week, wiki.tree == twin.tree)
    check_same(wiki, twin)
    check_index(wiki)
    # there was something of everything, else it shows nothing
    assert min(done[name] for name in ("consolidate", "decay", "audit")) > 0
    kinds = {event["e"] for run in wiki.ledger() for event in run[1:]}
    assert {"used", "asked", "decaying"} <= kinds, sorted(kinds)


def test_words_that_stay_in_the_shard_are_in_no_job(tmp_path: Path) -> None:
    wiki = serial(shard(tmp_path), tmp_path / "slept")
    wiki.ingest(f"The {SECRET} is behind the stove.", scope="private")
    private = wiki.ingest("Nobody knows it.", scope="private")[0]["id"]
    for words in (f"{SECRET} stove", f"{SECRET} stove", "staging database"):
        read(wiki, words)
    record_read(wiki.ws, "search", "who knows", [private])
    twin = wiki.copy(tmp_path / "twin")
    twin.tick(days=8)
    wiki.now = twin.now
    sleep_alone(twin)
    at = format_instant(twin.now)
    uses = pin(wiki.ws, at).uses
    words = [one["words"] for one in uses if one["verb"] == "search"]
    assert words == ["\0" + "0", "\0" + "0", "staging database", "\0" + "1"]
    assert SECRET not in repr(uses)
    assert private not in repr(uses)
    sleep_fleet(wiki, at, near=True)
    assert (wiki.head, wiki.tree) == (twin.head, twin.tree)
    asked = [event["words"] for event in wiki.events("asked")]
    assert asked == ["staging database"]


def test_reads_that_were_recorded_are_not_recorded_again(
    tmp_path: Path,
) -> None:
    wiki = serial(shard(tmp_path), tmp_path / "slept")
    read(wiki, QUESTIONS[0])
    wiki.ingest("Bert moved to Bonn.")
    at = format_instant(wiki.tick(days=1))
    sleep_fleet(wiki, at, near=True)
    first = wiki.events("asked")
    assert len(first) == 1
    wiki.ingest("Carl moved to Kiel.")
    twin = serial(wiki, tmp_path / "twin")
    at = format_instant(twin.now)
    assert [one["folded"] for one in pin(wiki.ws, at).uses] == [True, True]
    sleep_fleet(wiki, at, near=False)
    check_same(wiki, twin)
    assert wiki.events("asked") == first


@pytest.fixture
def failing_decay(
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Callable[[], None]]:
    def fail(*_: object, **__: object) -> None:
        raise GitFailed("the disk of the worker is full")

    def begin() -> None:
        monkeypatch.setattr(decaying, "decay", fail)

    yield begin


def test_a_step_that_fails_costs_the_others_nothing_and_is_told(
    tmp_path: Path, failing_decay: Callable[[], None]
) -> None:
    wiki = shard(tmp_path)
    failing_decay()
    at = format_instant(wiki.tick(hours=1))
    doc = sleep_shards([str(wiki.root)], at, engine=work)
    (night,) = doc["shards"]
    outcomes = {step["name"]: step["outcome"] for step in night["steps"]}
    assert outcomes["consolidate"] == "done"
    assert outcomes["decay"] == "failed"
    assert (night["problem"], doc["set_aside"]) == ("", 0)
    assert doc["exit_code"] == GitFailed.exit_code
    assert set(list_runs(night["steps"])) <= set(runs(wiki))
    (record,) = read_nights(wiki.ws)
    assert (record.outcome, record.kind) == ("failed", "fleet")


def test_the_shard_remembers_a_night_that_a_fleet_did(tmp_path: Path) -> None:
    wiki = shard(tmp_path)
    at = format_instant(wiki.tick(hours=1))
    steps = sleep_fleet(wiki, at, near=True)
    (record,) = read_nights(wiki.ws)
    assert (record.outcome, record.kind) == ("slept", "fleet")
    assert [step.name for step in record.steps] == [
        step["name"] for step in steps
    ]


def test_a_fleets_nights_leave_few_packs_and_no_loose_objects(
    tmp_path: Path,
) -> None:
    wiki = serial(shard(tmp_path), tmp_path / "slept")
    wiki.ingest("Bert moved to Bonn.")
    twin = serial(wiki, tmp_path / "twin")
    sleep_fleet(wiki, format_instant(twin.now), near=True)
    objects, alone = (
        Path(one.ws.place.common_dir, "objects") for one in (wiki, twin)
    )
    loose = "[0-9a-f][0-9a-f]/*"
    assert len(list(objects.glob(loose))) <= len(list(alone.glob(loose)))
    for n in range(setup.MOST_PACKS + 1):
        with Pack(wiki.ws.place.common_dir) as pack:
            pack.add("blob", b"%d" % n)
    sleep_fleet(wiki, format_instant(wiki.tick(hours=1)), near=True)
    assert len(list(objects.glob("pack/*.pack"))) < 10


def test_a_reading_between_pin_and_landing_waits_for_the_next_night(
    tmp_path: Path,
) -> None:
    wiki = serial(shard(tmp_path), tmp_path / "slept")
    wiki.ingest("Bert moved to Bonn.")

    def read_meanwhile(job: Job) -> Answer:
        answer = work(job)
        read(wiki, QUESTIONS[1])
        return answer

    at = format_instant(wiki.tick(hours=1))
    sleep_shards([str(wiki.root)], at, engine=read_meanwhile)
    assert wiki.events("asked") == []
    sleep_fleet(wiki, format_instant(wiki.tick(days=9)), near=True)
    assert [one["words"] for one in wiki.events("asked")] == [QUESTIONS[1]]
