"""What leaves the branch by a reset is held, what a person reverts is recorded: neither comes back
by itself.
"""

from pathlib import Path

import pytest

from companion.adoption import undo
from companion.reading.log import list_runs
from companion.reading.status import describe_wiki
from companion.reading.why import explain_target
from tests.wiki import Wiki, check_captures, check_health, check_index

NOTES = ("# Kettle\nIt whistles", "# Cup\nIt is blue")


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def night(wiki: Wiki, *texts: str) -> tuple[str, dict[str, bytes]]:
    """Tell *texts* and sleep over them; return the run and what was acknowledged."""
    told = wiki.ingest(*texts)
    run = wiki.consolidate()["run"]
    assert run is not None
    return run, {
        done["id"]: text.encode()
        for done, text in zip(told, texts, strict=True)
    }


def sound(wiki: Wiki, told: dict[str, bytes]) -> None:
    check_index(wiki)
    check_captures(wiki, told)
    check_health(wiki)
    assert wiki.status() == ""


# -- runs that a reset took off the branch ---------------------------------------------------------


def test_three_nights_that_were_reset_do_not_come_back_tomorrow(
    wiki: Wiki,
) -> None:
    start, told = wiki.head, {}
    runs = []
    for text in (
        "# Kettle\nIt whistles",
        "# Cup\nIt is blue",
        "# Spoon\nIt is bent",
    ):
        run, more = night(wiki, text)
        runs.append(run)
        told |= more
    wiki.git("reset", "-q", "--hard", start)
    wiki.ingest("# Fork\nA new thought")

    done = wiki.consolidate()

    assert [item["title"] for item in done["integrated"]] == ["Fork"]
    assert {item["capture"] for item in done["waiting"]} == set(told)
    assert all(
        item["reason"].startswith("held: run ") for item in done["waiting"]
    )
    status = describe_wiki(wiki.ws)
    assert (status["pending"], status["waiting"]) == (3, 3)
    assert [(item["run"], item["captures"]) for item in status["held"]] == [
        (run, 1) for run in sorted(runs)
    ]
    # and nothing of it is in the ledger, which would disagree one day
    assert wiki.consolidate()["run"] is None
    sound(wiki, told)


def test_what_is_held_can_be_read_and_found_and_says_why(wiki: Wiki) -> None:
    start = wiki.head
    run, told = night(wiki, NOTES[0])
    (capture,) = told
    wiki.git("reset", "-q", "--hard", start)

    assert [hit["state"] for hit in wiki.search("whistles")] == ["pending"]
    assert (wiki.show(capture)["state"], wiki.show(capture)["text"]) == (
        "pending",
        NOTES[0],
    )
    last = explain_target(wiki.ws, capture)["events"][-1]
    assert (last["event"], last["run"]) == ("held", run)
    assert last["reason"].startswith(
        f"held: run {run} was taken off the branch; `git merge refs/companion/lost/"
    )


@pytest.mark.parametrize("way", ["merge", "reset", "cherry-pick"])
def test_a_hold_ends_when_the_run_comes_back(wiki: Wiki, way: str) -> None:
    start = wiki.head
    run, told = night(wiki, *NOTES)
    lost = wiki.head
    wiki.git("reset", "-q", "--hard", start)
    assert len(describe_wiki(wiki.ws)["held"]) == 1
    if way == "merge":
        wiki.write("mine.md", "# Mine\n")
        wiki.commit()

    wiki.git(
        way,
        *{
            "merge": ["-q", "--no-edit"],
            "reset": ["-q", "--hard"],
            "cherry-pick": [],
        }[way],
        lost,
    )

    status = describe_wiki(wiki.ws)
    assert (status["held"], status["pending"], status["last_run"]["run"]) == (
        [],
        0,
        run,
    )
    wiki.consolidate()
    sound(wiki, told)


@pytest.mark.parametrize("looked", [True, False])
def test_telling_it_again_releases_it_and_nothing_else(
    wiki: Wiki, looked: bool
) -> None:
    """INV-7: reversible by a new sighting, also where nothing was said in between (then a repeat is
    no telling).
    """
    start = wiki.head
    _, told = night(wiki, *NOTES)
    wiki.git("reset", "-q", "--hard", start)
    if looked:
        describe_wiki(wiki.ws)
    else:
        # nobody has noticed the reset yet: saying it after something else is a telling
        wiki.ingest("something else")
    wiki.ingest(NOTES[1])

    done = wiki.consolidate()

    assert "Cup" in [item["title"] for item in done["integrated"]]
    assert [item["capture"] for item in done["waiting"]] == [next(iter(told))]
    wiki.ingest(NOTES[1])
    # once: a repeat in a row is one telling again
    assert wiki.consolidate()["run"] is None
    sound(wiki, told)


def test_the_owner_can_have_all_of_it_made_anew(wiki: Wiki) -> None:
    start = wiki.head
    _, told = night(wiki, *NOTES)
    wiki.git("reset", "-q", "--hard", start)

    assert wiki.consolidate()["run"] is None
    done = wiki.consolidate(release=True)

    assert sorted(item["title"] for item in done["integrated"]) == [
        "Cup",
        "Kettle",
    ]
    assert describe_wiki(wiki.ws)["held"] == []
    sound(wiki, told)


def test_a_hold_outlives_the_index_and_the_journal(wiki: Wiki) -> None:
    start = wiki.head
    _, told = night(wiki, *NOTES)
    wiki.git("reset", "-q", "--hard", start)
    describe_wiki(wiki.ws)
    for path in Path(wiki.ws.place.state).glob("*.db*"):
        path.unlink()

    assert len(wiki.consolidate()["waiting"]) == 2
    sound(wiki, told)


# -- runs that the person reverted -----------------------------------------------------------------


@pytest.mark.parametrize("first", ["consolidate", "adopt", "status"])
def test_a_revert_is_an_undo_and_the_ledger_keeps_its_file(
    wiki: Wiki, first: str
) -> None:
    run, told = night(wiki, *NOTES)
    commit = wiki.head
    wiki.git("revert", "--no-edit", commit)
    wiki.ingest("# Spoon\nIt is bent")
    if first == "status":
        assert describe_wiki(wiki.ws)["pending"] == 3
    if first == "adopt":
        wiki.adopt()

    done = wiki.consolidate()

    assert [item["title"] for item in done["integrated"]] == ["Spoon"]
    assert done["waiting"] == []
    assert {wiki.show(capture)["state"] for capture in told} == {"undone"}
    assert describe_wiki(wiki.ws)["held"] == []
    (undone,) = wiki.events("undone")
    assert (undone["run"], undone["outcome"]) == (run, "undone")
    assert [event["reason"] for event in wiki.events("deleted")] == [
        f"git revert of {run}"
    ] * 2
    author = wiki.git("log", "--format=%an", "-1", "--grep=git revert").strip()
    assert author == "Ada"
    logged = {
        item["run"]: item["commit"] for item in list_runs(wiki.ws)["runs"]
    }
    # where the file first came from, not where it was put back
    assert logged[run] == commit
    sound(wiki, told)


def test_without_an_index_a_revert_is_still_noticed(wiki: Wiki) -> None:
    _, told = night(wiki, *NOTES)
    wiki.git("revert", "--no-edit", "HEAD")
    for path in Path(wiki.ws.place.state).glob("index.db*"):
        path.unlink()

    assert wiki.consolidate()["integrated"] == []
    assert {wiki.show(capture)["state"] for capture in told} == {"undone"}
    sound(wiki, told)


def test_a_revert_whose_conflict_was_resolved_otherwise(wiki: Wiki) -> None:
    run, told = night(wiki, *NOTES)
    kettle = "entries/2026/11/Kettle.md"
    wiki.write(kettle, wiki.read(kettle) + "My own line\n")
    wiki.adopt()
    wiki.git("revert", "--no-edit", "HEAD~1", check=False)
    assert wiki.git("diff", "--name-only", "--diff-filter=U").split() == [
        kettle
    ]
    wiki.write(kettle, wiki.git("show", f":2:{kettle}"))
    wiki.git("add", "-A")
    wiki.git("-c", "core.editor=true", "revert", "--continue")

    assert wiki.consolidate()["integrated"] == []
    assert (
        "My own line" in wiki.read(kettle)
        and not (wiki.root / "entries/2026/11/Cup.md").exists()
    )
    (undone,) = wiki.events("undone")
    assert (undone["run"], undone["reason"]) == (
        run,
        "git revert: 1 of 2 pages no longer hold what it wrote",
    )
    sound(wiki, told)


def test_a_ledger_file_that_was_only_removed_is_put_back(wiki: Wiki) -> None:
    _, told = night(wiki, *NOTES)
    wiki.git("rm", "-q", "-r", ".companion/ledger")
    wiki.commit()

    assert wiki.consolidate()["integrated"] == []
    assert {wiki.show(capture)["state"] for capture in told} == {"consolidated"}
    sound(wiki, told)


def test_the_revert_of_an_undo_takes_it_back(wiki: Wiki) -> None:
    run, told = night(wiki, *NOTES)
    wiki.tick()
    undo.undo(wiki.ws, run)
    wiki.git("revert", "--no-edit", "HEAD")

    assert wiki.consolidate()["integrated"] == []
    assert {wiki.show(capture)["state"] for capture in told} == {"consolidated"}
    assert len(wiki.search("whistles")) == 1
    sound(wiki, told)


def test_a_revert_can_be_reverted(wiki: Wiki) -> None:
    _, told = night(wiki, *NOTES)
    wiki.git("revert", "--no-edit", "HEAD")
    revert = wiki.head
    wiki.consolidate()
    wiki.git("revert", "--no-edit", revert)

    assert wiki.consolidate()["integrated"] == []
    assert [hit["state"] for hit in wiki.search("whistles")] == ["active"]
    sound(wiki, told)


def test_who_reverts_the_beginning_gets_no_ledger_back(wiki: Wiki) -> None:
    wiki.write("mine.md", "# Mine\n")
    wiki.commit()
    wiki.git("revert", "--no-edit", "HEAD~1")

    wiki.consolidate()

    assert wiki.git("ls-files", ".companion/companion.yaml") == ""
    assert not wiki.events("undone")
