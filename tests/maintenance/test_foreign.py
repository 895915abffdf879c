"""One bad thing on a remote: it is set aside by name with a way out, and stops nothing else."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from companion.cli.commands.review import text
from companion.maintenance.doctor.run import doctor, examine
from companion.maintenance.remotes import remote as remotes
from companion.maintenance.remotes.settle_foreign import (
    NotSetAside,
    NoWords,
    accept,
    drop,
)
from companion.reading.review import list_review
from companion.reading.status import describe_wiki
from companion.storage.git import capture_buffer
from tests.maintenance.machines import (
    DAY,
    TIME,
    Tree,
    another,
    both,
    buffer_of,
    capture,
    files_in,
    header,
    name_of,
    plant,
    sync,
    told,
    write_tree,
)
from tests.wiki import Wiki, check_health, check_index, git

BAD = "the bad one"
GOOD = "a good note"
ID = name_of(BAD)
PLACE = f"{DAY}/{ID[:2]}"


def telling(**fields: Any) -> list[dict[str, Any]]:
    return [{"seen_at": TIME, "channel": "cli"} | fields]


def beside(name: str, value: Any) -> Tree:
    """A good capture, and *value* under *name* in its folder."""
    return both(capture(BAD), {DAY: {ID[:2]: {name: value}}})


# what is wrong -> (the tree, words of the reason)
BADNESS: dict[str, tuple[Tree, str]] = {
    "no such day": (
        capture(BAD, ingested_at="2026-02-31T08:00:00.000000Z"),
        "not in the calendar",
    ),
    "no such hour": (
        capture(BAD, sightings=telling(seen_at="2026-11-01T99:00:00.000000Z")),
        "not in the calendar",
    ),
    "no such event": (
        capture(
            BAD,
            sightings=telling(
                event_time="2026-02-31T08:00:00.000000Z", explicit=True
            ),
        ),
        "not in the calendar",
    ),
    "the year 0": (
        capture(BAD, ingested_at="0000-01-01T08:00:00.000000Z"),
        "not in the calendar",
    ),
    "the year 9999": (
        capture(
            BAD,
            "9999-12-31",
            ingested_at="9999-12-31T23:59:59.999999Z",
            sightings=telling(seen_at="9999-12-31T23:59:59.999999Z"),
        ),
        "it was told 9999-12-31, after today, and waits for that day",
    ),
    "a clock ahead": (
        capture(
            BAD,
            "2045-11-01",
            ingested_at="2045-11-01T08:00:00.000000Z",
            sightings=telling(seen_at="2045-11-01T08:00:00.000000Z"),
        ),
        "it was told 2045-11-01, after today, and waits for that day",
    ),
    "another day": (capture(BAD, "2026-10-31"), "nothing in it was told on"),
    "no time": (capture(BAD, ingested_at="now"), "not written as times are"),
    "nobody told it": (capture(BAD, sightings=[]), "nobody told it"),
    "no list": (capture(BAD, sightings=None), "no list"),
    "NaN": (capture(BAD, priority=float("nan")), "no number from 0 to 1"),
    "too urgent": (capture(BAD, priority=1e9), "no number from 0 to 1"),
    "text for a number": (capture(BAD, priority="0.5"), "no number"),
    "a lone surrogate": (capture(BAD, title="\ud800"), "half a character"),
    "a title of lines": (capture(BAD, title="a\nb"), "control characters"),
    "a list for a title": (capture(BAD, title=["x"]), "of another kind"),
    "text for links": (capture(BAD, edges="abc"), "links are no list"),
    "other bytes": (capture(BAD, blob="0" * 40), "bytes did not come"),
    "a name for bytes": (capture(BAD, blob="../x"), "names no bytes"),
    "private here": (
        capture(BAD, sightings=telling(scope="private")),
        "it is private",
    ),
    "a newer companion": (capture(BAD, v=2), "newer companion"),
    "another's id": (capture(BAD, id="0" * 64), "capture in its name"),
    "no JSON": (
        {DAY: {ID[:2]: {ID: BAD, f"{ID}.json": "not json"}}},
        "cannot be read",
    ),
    "brackets": (
        {DAY: {ID[:2]: {ID: BAD, f"{ID}.json": "[" * 100_000}}},
        "cannot be read",
    ),
    "a flipped bit": (
        {DAY: {ID[:2]: {ID: "the cad one", f"{ID}.json": header(BAD)}}},
        "not what its id says",
    ),
    "a file at the top": ({"README.md": "hello"}, "no place in a buffer"),
    "a link": ({DAY: {ID[:2]: {f"link{ID}": "/etc/passwd"}}}, "no place"),
    "a folder too deep": (
        {DAY: {ID[:2]: {"more": {"and": {"more": "x"}}}}},
        "no place in a buffer",
    ),
}


@pytest.mark.parametrize("badness", BADNESS)
def test_one_bad_thing_is_set_aside_and_all_else_goes_on(
    desk: Wiki, laptop: Wiki, hub: Path, badness: str
) -> None:
    tree, reason = BADNESS[badness]
    plant(hub, both(tree, capture(GOOD)))
    there = files_in(hub)
    desk.ingest("mine")
    done = sync(desk)
    assert reason in " ".join(item["reason"] for item in done["set_aside"])
    assert done["set_aside_count"] == len(done["set_aside"]) <= 2
    assert name_of(GOOD) in told(desk) and ID not in told(desk)
    assert there <= files_in(hub), "nothing leaves the remote"
    assert name_of("mine") in {
        path.split("/")[-1]
        for path in git(hub, "ls-tree", "-r", "--name-only", buffer_of(hub))
        .strip()
        .split("\n")
    }
    assert desk.consolidate()["run"] is not None
    assert desk.journal().open_ids() == []
    assert desk.ingest("after")[0]["ingested_at"] < "2027"
    (note,) = [n for n in describe_wiki(desk.ws)["notes"] if "remote" in n]
    assert "companion doctor" in note
    check_index(desk)
    sync(laptop)
    assert ID not in told(laptop) and name_of("mine") in told(laptop)


def test_of_a_capture_with_one_bad_telling_the_good_ones_are_taken(
    desk: Wiki, hub: Path
) -> None:
    later = {"v": 1, "id": ID, "sightings": []}
    plant(hub, beside(f"{ID}.2026-11-01T090000000000Z.json", json.dumps(later)))
    done = sync(desk)
    assert done["received"] == {"captures": 1, "tellings": 1}
    assert [item["capture"] for item in done["set_aside"]] == [ID]


def test_review_lists_what_is_set_aside_until_it_is_settled(
    desk: Wiki, hub: Path
) -> None:
    assert list_review(desk.ws)["set_aside"] == []
    plant(hub, both({"README.md": "x"}, capture(GOOD)))
    (aside,) = sync(desk)["set_aside"]
    found = list_review(desk.ws)
    assert found["set_aside"] == [aside] and found["set_aside_count"] == 1
    shown = "\n".join(str(line) for line in text(dict(found)))
    assert f"{aside['id']}  README.md of hub" in shown
    assert aside["reason"] in shown
    drop(desk.ws, aside["id"])
    assert list_review(desk.ws)["set_aside"] == []


def test_a_deep_tree_and_a_bomb_cost_what_came(desk: Wiki, hub: Path) -> None:
    deep = write_tree(hub, {"leaf": "x"})
    for _ in range(1_500):
        deep = write_tree(hub, {"d/": deep})
    wide = write_tree(hub, {ID: BAD, f"{ID}.json": header(BAD)})
    for _ in range(8):
        wide = write_tree(hub, {f"{n:02x}/": wide for n in range(10)})
    days: Tree = {f"2026-10-{day:02}/": wide for day in range(1, 31)}
    bomb: Tree = {"deep/": deep, "2026-09-01": {"ab/": deep}, **days}
    plant(hub, both(bomb, capture(GOOD)))
    done = sync(desk)
    assert list(told(desk)) == [name_of(GOOD)]
    assert done["set_aside_count"] > 30
    assert sync(desk)["received"]["captures"] == 0


def test_a_copied_folder_keeps_nobody_out(desk: Wiki, hub: Path) -> None:
    """A bad machine lists the folder of a good one under days before and after it."""
    good = capture(GOOD)[DAY]
    assert isinstance(good, dict)
    copies = {f"{n:02x}": next(iter(good.values())) for n in range(20)}
    plant(
        hub, {"2026-10-01": good, DAY: both(copies, good), "2026-12-01": good}
    )
    done = sync(desk)
    assert done["received"]["captures"] == 1
    assert done["set_aside_count"] == 22


def test_words_told_again_do_not_wait_with_their_first_telling(
    desk: Wiki, laptop: Wiki
) -> None:
    laptop.tick(days=4 * 365)
    laptop.ingest("from 2030")
    sync(laptop)
    laptop.now = desk.now
    assert "2030" in describe_wiki(laptop.ws)["notes"][-1]
    doctor(laptop.ws, repair=True)
    assert not describe_wiki(laptop.ws)["notes"]
    laptop.ingest(GOOD)
    laptop.ingest("from 2030")
    sync(laptop)

    done = sync(desk)
    assert {one["capture"] for one in done["set_aside"]} == {
        name_of("from 2030")
    }
    assert done["set_aside_count"] == 1
    assert set(told(desk)) == {name_of(GOOD), name_of("from 2030")}
    assert {one.kind for one in examine(desk.ws)} == {"set-aside"}
    desk.tick(days=4 * 365)
    assert sync(desk)["received"] == {"captures": 0, "tellings": 1}
    assert sync(desk)["set_aside_count"] == 0
    check_health(desk)


def test_a_telling_of_words_that_nobody_sent_is_set_aside(
    desk: Wiki, hub: Path
) -> None:
    good = capture(GOOD)
    later = json.dumps({"v": 1, "id": ID, "sightings": telling()})
    name = f"{ID}.2026-11-01T080000000000Z.json"
    plant(hub, both(good, {DAY: {ID[:2]: {name: later}}}))
    done = sync(desk)
    assert list(told(desk)) == [name_of(GOOD)]
    assert [one["capture"] for one in done["set_aside"]] == [ID]
    assert {one.kind for one in examine(desk.ws)} == {"set-aside"}


def test_the_clock_of_another_machine_moves_no_time_here(
    desk: Wiki, laptop: Wiki
) -> None:
    laptop.tick(days=14 * 365)
    laptop.ingest("from 2040")
    sync(laptop)
    before = desk.now.isoformat()[:10]
    done = sync(desk)
    assert "after today" in done["set_aside"][0]["reason"]
    assert desk.ingest("here")[0]["ingested_at"][:10] == before
    assert desk.consolidate()["run"][:10] == before
    sync(desk)
    sync(laptop)
    assert name_of("here") in told(laptop)
    check_health(laptop)


@pytest.mark.parametrize("slept", [False, True])
def test_what_a_clock_nineteen_years_ahead_tells_reaches_the_others_today(
    desk: Wiki, laptop: Wiki, slept: bool
) -> None:
    """A laptop that has seen no night judges its clock by the run that began the wiki."""
    if slept:
        laptop.consolidate()
    laptop.tick(days=19 * 365)
    told_at = laptop.ingest("from 2045")[0]["ingested_at"]
    assert told_at[:4] == "2026"
    sync(laptop)
    done = sync(desk)
    assert (done["received"]["captures"], done["set_aside"]) == (1, [])
    assert told(desk) == told(laptop)
    assert "not believed" in describe_wiki(laptop.ws)["notes"][-1]


def test_what_was_told_ahead_leaves_no_bytes_without_a_telling_here(
    desk: Wiki, laptop: Wiki, hub: Path
) -> None:
    plant(hub, BADNESS["a clock ahead"][0])
    desk.ingest("mine")
    assert sync(desk)["set_aside_count"] == 1
    assert {name for name in _names_in(desk.root) if ID in name} == set()
    only_ours = f"+{capture_buffer.BUFFER}:{capture_buffer.BUFFER}"
    git(hub, "fetch", "-q", str(desk.root), only_ours)
    assert sync(laptop)["set_aside"] == []
    assert buffer_of(desk.root) == buffer_of(laptop.root)


def test_what_was_told_ahead_is_taken_when_its_day_has_come(
    desk: Wiki, laptop: Wiki
) -> None:
    laptop.tick(days=3)
    laptop.ingest("from the day after tomorrow")
    sync(laptop)
    assert sync(desk)["set_aside_count"] == 1
    desk.tick(days=3)
    done = sync(desk)
    assert (done["received"]["captures"], done["set_aside_count"]) == (1, 0)
    assert told(desk) == told(laptop)


def test_machines_that_set_something_aside_end_with_one_tree(
    desk: Wiki, laptop: Wiki, hub: Path, tmp_path: Path
) -> None:
    phone = another(tmp_path / "phone", hub, desk)
    plant(hub, both(BADNESS["NaN"][0], {"README.md": "x"}))
    machines = (desk, laptop, phone)
    for n, wiki in enumerate(machines):
        wiki.now = desk.now
        wiki.ingest("the words", source=f"{n}.md")
        wiki.ingest(f"only on {n}")
    for wiki in (phone, desk, laptop, phone, desk):
        sync(wiki)
    assert len({buffer_of(wiki.root) for wiki in machines}) == 1
    assert len(told(desk)) == 4
    rounds = [sync(wiki) for wiki in machines]
    assert not any(done["sent"]["refs"] for done in rounds), "it comes to rest"


def test_a_good_note_comes_through_under_a_name_that_a_bad_file_has(
    desk: Wiki, laptop: Wiki, hub: Path
) -> None:
    desk.ingest(BAD)
    path = f"{desk.now.date()}/{ID[:2]}/{ID}.json"
    day, part, name = path.split("/")
    for bad in ("no telling", "no telling either", "nor this"):
        plant(hub, {day: {part: {name: bad, ID: "other bytes"}}})
        sync(desk)
        sync(laptop)
        assert told(laptop) == told(desk), bad


def _names_in(root: Path) -> set[str]:
    paths = git(root, "ls-tree", "-r", "--name-only", buffer_of(root))
    return {path.rpartition("/")[2] for path in paths.split()}


# -- the way out -----------------------------------------------------------------------------------


def test_doctor_names_it_and_says_what_settles_it(
    desk: Wiki, hub: Path
) -> None:
    plant(hub, BADNESS["NaN"][0])
    item = sync(desk)["set_aside"][0]
    (finding,) = [one for one in examine(desk.ws) if one.kind == "set-aside"]
    assert finding.severity == "warning"
    assert f"capture {ID[:12]} from hub" in finding.what
    assert "priority is no number" in finding.what
    assert f"companion remote accept {item['id']}" in finding.hint
    assert f"companion remote drop {item['id']}" in finding.hint


def test_accepted_words_are_a_note_of_now(
    desk: Wiki, laptop: Wiki, hub: Path
) -> None:
    plant(hub, BADNESS["a clock ahead"][0])
    item = sync(desk)["set_aside"][0]
    desk.tick()
    done = accept(desk.ws, item["id"][:6])
    assert done["capture"] == ID
    (sighting,) = told(desk)[ID]
    assert sighting.seen_at < "2027" and sighting.source == "remote hub"
    desk.consolidate()
    assert sync(desk)["set_aside_count"] == 0
    assert [one for one in examine(desk.ws) if one.kind == "set-aside"] == []
    sync(laptop)
    assert told(laptop)[ID] == told(desk)[ID]


def test_what_is_dropped_stays_off_the_list_and_on_the_remote(
    desk: Wiki, hub: Path
) -> None:
    plant(hub, both(BADNESS["NaN"][0], {"README.md": "hello"}))
    first = sync(desk)["set_aside"]
    assert len(drop(desk.ws, first[0]["id"])["settled"]) == 1
    assert sync(desk)["set_aside_count"] == len(first) - 1
    drop(desk.ws, "all")
    assert sync(desk)["set_aside_count"] == 0
    assert describe_wiki(desk.ws)["notes"] == []
    assert "README.md" in git(hub, "ls-tree", "--name-only", buffer_of(hub))


def test_only_what_is_set_aside_can_be_settled(desk: Wiki, hub: Path) -> None:
    plant(hub, {"README.md": "hello"})
    (item,) = sync(desk)["set_aside"]
    with pytest.raises(NotSetAside):
        drop(desk.ws, "ffffffffffff")
    with pytest.raises(NoWords):
        accept(desk.ws, item["id"])


def test_the_list_is_empty_again_when_the_remote_is_mended(
    desk: Wiki, hub: Path
) -> None:
    plant(hub, BADNESS["NaN"][0])
    assert sync(desk)["set_aside_count"] == 1
    plant(hub, capture(BAD))
    assert sync(desk)["set_aside_count"] == 0
    assert "doubted" not in desk.git("for-each-ref")


def test_a_thousand_are_kept_by_name_and_the_rest_is_counted(
    desk: Wiki, hub: Path
) -> None:
    plant(hub, {f"junk {n:04}": "x" for n in range(1_200)})
    done = sync(desk)
    assert (len(done["set_aside"]), done["set_aside_count"]) == (1_000, 1_200)
    findings = [one for one in examine(desk.ws) if one.kind == "set-aside"]
    assert len(findings) == 21 and "1,180 more from hub" in findings[-1].what


def test_what_is_set_aside_counts_as_nothing_of_ours(
    desk: Wiki, hub: Path
) -> None:
    plant(hub, {"README.md": "hello"})
    sync(desk)
    assert describe_wiki(desk.ws)["only_here"]["refs"] == []
    with sqlite3.connect(desk.ws.place.journal_db) as journal:
        assert journal.execute("SELECT count(*) FROM captures").fetchone() == (
            0,
        )


def test_cold_memory_that_is_none_keeps_no_note_out(
    desk: Wiki, hub: Path
) -> None:
    plant(hub, {"what": {"is": "this"}}, "refs/companion/cold")
    plant(hub, capture(GOOD))
    done = sync(desk)
    assert done["received"]["captures"] == 1
    assert done["set_aside"][0]["buffer"] == "refs/companion/cold"
    assert remotes.sync(desk.ws)["set_aside_count"] == 1


def test_a_note_with_the_latest_event_of_all_makes_a_page(
    desk: Wiki, hub: Path
) -> None:
    latest = "9999-12-31T23:59:59.999999Z"
    plant(
        hub, capture(GOOD, sightings=telling(event_time=latest, explicit=True))
    )
    assert sync(desk)["set_aside_count"] == 0
    assert desk.consolidate()["run"] is not None
    assert capture_buffer.read_trees(desk.repo())
    check_index(desk)
