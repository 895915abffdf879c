"""What no companion wrote, in companion's own folder: it is named, it stops the nights, and it
takes no read away.
"""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.errors import CompanionError
from companion.lookup.search import search_wiki
from companion.maintenance import init as care
from companion.maintenance.doctor import run as health
from companion.reading.entry.show import show_target
from companion.reading.log import list_runs
from companion.reading.status import describe_wiki
from companion.reading.why import explain_target
from companion.storage import ledger_file
from companion.storage.index import schema as index
from tests.living import Living
from tests.wiki import Wiki, check_captures, check_health, check_index

NOW = "2026-11-02T08:00:00.000000Z"


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    wiki = Wiki.new(tmp_path / "wiki", {"Alpha.md": "# Alpha\n\nheron\n"})
    wiki.ingest("# Oat milk\n\nin the fridge")
    wiki.consolidate()
    return wiki


def garbage(wiki: Wiki) -> None:
    wiki.write(
        ledger_file.make_path("2026-11-02-consolidate-0123456789ab"),
        b"\x00\xff not a ledger\n",
    )


def another_name(wiki: Wiki) -> None:
    run = ledger_file.make_run("consolidate", NOW, {}, [])
    wiki.write(
        ledger_file.make_path(run.id[:-3] + "fff"), ledger_file.encode(run)
    )


def newer(wiki: Wiki) -> None:
    run = ledger_file.make_run(
        "consolidate", NOW, {}, [{"e": "dreamt", "reason": "x"}]
    )
    wiki.write(run.path, ledger_file.encode(run))


def edited(wiki: Wiki) -> None:
    (path,) = (wiki.root / ".companion/ledger").rglob("*consolidate*")
    path.write_bytes(
        path.read_bytes().replace(b'"operation"', b'"Operation"', 1)
    )


def torn(wiki: Wiki) -> None:
    run = ledger_file.make_run(
        "adopt", NOW, {}, [{"e": "waits", "capture": "x", "reason": "x"}]
    )
    wiki.write(run.path, ledger_file.encode(run)[:-9])


def typo(wiki: Wiki) -> None:
    wiki.write(".companion/companion.yaml", "adpot: ask\n")


BAD = [garbage, another_name, newer, edited, torn, typo]


def read_everything(wiki: Wiki, warned: bool) -> None:
    assert {hit["title"] for hit in wiki.search("milk")} == {
        "Oat milk",
        "milk, while it is broken",
    }
    ws = wiki.ws
    docs = [
        search_wiki(ws, "heron"),
        show_target(wiki.ws, "Oat milk"),
        explain_target(wiki.ws, "Oat milk"),
    ]
    docs.append(list_runs(wiki.ws))
    assert docs[0]["results"]
    assert [("warning" in doc) for doc in docs] == [warned] * 4
    assert (len(describe_wiki(wiki.ws)["notes"]) == 1) == warned


@pytest.mark.parametrize("index_kept", [True, False])
@pytest.mark.parametrize("bad", BAD)
def test_reads_answer_as_of_the_last_good_fold_and_nights_stop_by_name(
    wiki: Wiki, bad: Callable[[Wiki], None], index_kept: bool
) -> None:
    last = describe_wiki(wiki.ws)["as_of"]
    bad(wiki)
    wiki.commit("what no companion wrote")
    if not index_kept:
        index.remove_database(wiki.ws.place.index_db)
    (captured,) = wiki.ingest("milk, while it is broken")
    read_everything(wiki, warned=True)
    assert last in search_wiki(wiki.ws, "milk")["warning"]
    with pytest.raises(CompanionError) as caught:
        wiki.consolidate()
    assert (caught.value.exit_code, bool(caught.value.hint)) == (65, True)
    (named,) = [
        f
        for f in health.doctor(wiki.ws)["findings"]
        if f["severity"] == "damage"
    ]
    assert (named["kind"], named["what"]) == (
        caught.value.kind,
        str(caught.value),
    )
    before = (wiki.head, wiki.status())
    with pytest.raises(CompanionError):
        care.rebuild(wiki.ws)
    read_everything(wiki, warned=True)
    assert (wiki.head, wiki.status()) == before
    wiki.git("revert", "--no-edit", "HEAD")
    read_everything(wiki, warned=False)
    check_index(wiki)
    check_health(wiki)
    check_captures(wiki, {captured["id"]: b"milk, while it is broken"})
    assert wiki.consolidate()["counts"]["captures"] == 1


def test_reading_a_broken_wiki_again_and_again_leaves_nothing_behind(
    wiki: Wiki,
) -> None:
    """A run was lost and another cannot be read: each read used to keep the lost tip anew."""
    wiki.git("reset", "-q", "--hard", "HEAD~1")
    garbage(wiki)
    wiki.commit()
    for _ in range(3):
        wiki.tick(minutes=5)
        wiki.search("heron")
    assert (
        len(wiki.git("for-each-ref", "refs/companion/lost").splitlines()) == 1
    )


def test_a_clone_that_is_broken_from_the_start_can_be_read(
    wiki: Wiki, tmp_path: Path
) -> None:
    garbage(wiki)
    wiki.commit()
    wiki.git("clone", "-q", str(wiki.root), str(tmp_path / "clone"))
    clone = Wiki(tmp_path / "clone", wiki.now)
    with pytest.raises(CompanionError) as caught:
        clone.init()
    assert caught.value.exit_code == 65
    assert {hit["title"] for hit in clone.search("milk")} == {"Oat milk"}
    assert clone.status() == ""


def test_on_the_command_line_the_warning_stands_beside_the_answer(
    wiki: Wiki,
) -> None:
    garbage(wiki)
    wiki.commit()
    living = Living(wiki.root)
    for argv in (
        ["search", "milk"],
        ["--quiet", "search", "milk"],
        ["show", "Oat milk", "--raw"],
        ["log"],
    ):
        done = living.run(*argv)
        assert done.returncode == 0
        assert done.stdout.strip()
        assert done.stderr.startswith(b"warning: Results may be out of date"), (
            done.stderr
        )
        assert b"2026-11-02-consolidate-0123456789ab" in done.stderr
    assert "warning" in living.doc("search", "milk")
    assert any("out of date" in note for note in living.doc("status")["notes"])


def test_captures_that_a_foreign_file_claims_are_kept_and_come_back_with_its_end(
    wiki: Wiki,
) -> None:
    """Its form is right, so it is folded; what it says it consumed stays readable, and pending
    again without it.
    """
    (claimed,) = wiki.ingest("claimed by a stranger")
    event = {
        "e": "consumed",
        "capture": claimed["id"],
        "outcome": "consolidated",
        "entry": "nobody",
        "sightings": [],
    }
    run = ledger_file.make_run(
        "consolidate",
        "2026-12-01T08:00:00.000000Z",
        {},
        [{**event, "reason": "because"}],
    )
    wiki.write(run.path, ledger_file.encode(run))
    wiki.commit("a stranger's ledger file")
    check_index(wiki)
    check_captures(wiki, {claimed["id"]: b"claimed by a stranger"})
    assert (
        show_target(wiki.ws, claimed["id"])["text"] == "claimed by a stranger"
    )
    assert run.id in json.dumps(explain_target(wiki.ws, claimed["id"]))
    wiki.consolidate()
    check_captures(wiki, {claimed["id"]: b"claimed by a stranger"})
    wiki.git("rm", "-q", run.path)
    wiki.commit("without it")
    check_index(wiki)
    check_captures(wiki, {claimed["id"]: b"claimed by a stranger"})
    assert {hit["id"] for hit in wiki.search("stranger")} == {claimed["id"]}


@pytest.mark.parametrize(
    "name",
    [
        "README.md",
        "2026/11/notes.jsonl",
        "2026/12/2026-11-02-adopt-0123456789ab.jsonl",
    ],
)
def test_files_that_are_no_runs_are_passed_over(wiki: Wiki, name: str) -> None:
    wiki.write(
        f".companion/ledger/{name}",
        "what a file manager or a person left there\n",
    )
    wiki.commit()
    assert "warning" not in search_wiki(wiki.ws, "milk")
    wiki.ingest("oat")
    wiki.consolidate()
    assert (wiki.root / ".companion/ledger" / name).exists()
    check_index(wiki)
