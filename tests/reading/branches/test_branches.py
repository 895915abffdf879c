"""Minority branches as the ledger tells of them: index, refs and verbs, over runs written here by
hand.
"""

from pathlib import Path
from typing import Any

import pytest

from companion.minority.contested.members import (
    movable_members,
    movable_pages,
    promotion_files,
)
from companion.minority.pages import member_page, member_path
from companion.operations.decay.run import decay
from companion.pages import ids
from companion.reading.branches import branches, promotion_preview, quarantine
from companion.reading.why import explain_target
from companion.runs.publication import COMPANION
from companion.runs.run import make_inputs, open_run
from companion.storage import ledger_file
from companion.storage.git import capture_buffer, objects
from companion.storage.index import schema as index
from companion.storage.index.tables import minority
from companion.values.decisions import Write
from tests.wiki import Wiki, check_health, check_index

NAME = "once-only-delivery-aaaaaaaa"
BELIEF = "# Once only delivery\n\nThe queue delivers every message once.\n"
WORDS = (
    "A message was delivered twice on Tuesday.",
    "Duplicates came after the failover.",
)


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest(BELIEF)
    wiki.consolidate()
    return wiki


def incumbent(wiki: Wiki) -> str:
    return str(wiki.show("Once only delivery")["id"])


def run(
    wiki: Wiki,
    lines: list[dict[str, Any]],
    writes: list[Write],
    operation: str = "consolidate",
) -> str:
    """Publish a run with these events and files, as a night does."""
    wiki.tick()
    with open_run(wiki.ws, operation) as tonight:
        capture_buffer.anchor(tonight.journal, tonight.repo)
        made = ledger_file.make_run(
            operation, tonight.moment(), make_inputs(tonight, {}, {}), lines
        )
        commit = tonight.publish(
            made, writes, f"{operation}: by a test", "", author=COMPANION
        )
        tonight.refold()
    assert wiki.head == commit
    return made.id


def joins(
    wiki: Wiki, words: str, name: str = NAME
) -> tuple[list[dict[str, Any]], Write]:
    """A capture that joins the branch: its events and its page."""
    capture = wiki.ingest(words)[0]["id"]
    entry = ids.entry_id(capture)
    told = str(wiki.now.isoformat())
    text = member_page(entry, words[:20], told, (), words, incumbent(wiki))
    write = Write(
        member_path(name, words[:20], lambda key: False), text.encode()
    )
    place = {
        "path": write.path,
        "blob": objects.hash_blob(write.content or b""),
    }
    (sighting,) = wiki.journal().sightings(capture)
    consumed = {
        "e": "consumed",
        "capture": capture,
        "outcome": "consolidated",
        "entry": entry,
    }
    return [
        {
            **consumed,
            "sightings": [capture_buffer.encode_sighting(sighting)],
            "reason": f"joined {name}",
        },
        {
            "e": "joined",
            "branch": name,
            "capture": capture,
            "entry": entry,
            **place,
            "reason": "it opposes it",
        },
    ], write


def opened(wiki: Wiki, *words: str) -> str:
    """Open the branch with *words*, in one run; its id."""
    lines: list[dict[str, Any]] = [
        {
            "e": "branched",
            "branch": NAME,
            "entry": incumbent(wiki),
            "reason": "a lone contradiction",
        }
    ]
    writes: list[Write] = []
    for each in words:
        more, write = joins(wiki, each)
        lines, writes = lines + more, [*writes, write]
    lines.append(
        {
            "e": "weighed",
            "branch": NAME,
            "pressure": 0.9,
            "threshold": 1.8,
            "reason": "one voice",
        }
    )
    return run(wiki, lines, writes)


def ref(wiki: Wiki, name: str = NAME) -> str:
    return wiki.git(
        "rev-parse",
        "--verify",
        "-q",
        f"refs/heads/minority/{name}",
        check=False,
    ).strip()


def sql(wiki: Wiki, query: str) -> list[tuple[Any, ...]]:
    db = index.open_for_reading(wiki.ws.place.index_db)
    assert db is not None
    rows = db.execute(query).fetchall()
    db.close()
    return rows


def test_a_branch_has_the_papers_fields_and_its_pages_are_no_entries(
    wiki: Wiki,
) -> None:
    opened(wiki, *WORDS)
    (row,) = sql(
        wiki,
        "SELECT ref, incumbent, state, cluster_size, contradictions, cycles_open FROM branches",
    )
    assert row == (
        f"refs/heads/minority/{NAME}",
        incumbent(wiki),
        "open",
        2,
        2,
        0,
    )
    assert sql(wiki, "SELECT count(*) FROM entries") == [(1,)]
    assert (
        sql(wiki, "SELECT target, type, weight FROM edges")
        == [(incumbent(wiki), "contradicts", 1.0)] * 2
    )
    check_index(wiki)
    check_health(wiki)


def test_a_members_page_is_found_and_marked_and_no_link_leads_there(
    wiki: Wiki,
) -> None:
    opened(wiki, WORDS[0])
    (found,) = wiki.search("Tuesday")
    assert (found["state"], found["path"][:20]) == (
        "minority",
        ".companion/minority/",
    )
    wiki.write(
        "Mine.md",
        f"See [[{Path(found['path']).stem}]] and [[{found['path']}]].\n",
    )
    wiki.commit()
    wiki.consolidate()
    assert len(wiki.show("Mine")["unresolved"]) == 2
    assert wiki.show(found["path"])["branch"] == NAME
    assert wiki.search("Tuesday", state="active") == []
    check_index(wiki)


def test_the_ref_points_to_the_run_in_which_the_branch_last_changed(
    wiki: Wiki,
) -> None:
    opened(wiki, WORDS[0])
    first = wiki.head
    wiki.ingest("Something else entirely")
    wiki.consolidate()
    assert ref(wiki) == first != wiki.head
    more, write = joins(wiki, WORDS[1])
    run(wiki, more, [write])
    assert ref(wiki) == wiki.head
    assert f"minority/{NAME}" in wiki.git("branch", "--merged").split()


@pytest.mark.parametrize("loss", ["deleted", "rebased", "cloned", "moved"])
def test_a_ref_that_went_is_made_anew(
    wiki: Wiki, tmp_path: Path, loss: str
) -> None:
    opened(wiki, WORDS[0])
    wiki.write("Mine.md", "mine\n")
    wiki.commit()
    first = wiki.git("rev-parse", "HEAD~1").strip()
    if loss == "deleted":
        wiki.git("branch", "-D", f"minority/{NAME}")
    elif loss == "moved":
        wiki.git("update-ref", f"refs/heads/minority/{NAME}", "HEAD")
    elif loss == "cloned":
        wiki = wiki.clone(tmp_path / "clone")
    else:
        wiki.git(
            "-c", "user.name=Grace", "rebase", "-q", "--force-rebase", "--root"
        )
        first = wiki.git("rev-parse", "HEAD~1").strip()
    wiki.ingest("Anything")
    wiki.consolidate()
    assert ref(wiki) == first
    assert (
        wiki.git("log", "-1", "--format=%s", first).strip()
        == "consolidate: by a test"
    )
    check_index(wiki)


def test_commits_of_the_persons_on_a_branch_stay_there(wiki: Wiki) -> None:
    opened(wiki, WORDS[0])
    tree = wiki.git("rev-parse", "HEAD^{tree}").strip()
    mine = wiki.git(
        "commit-tree", tree, "-p", "HEAD", "-m", "my own thoughts"
    ).strip()
    wiki.git("update-ref", f"refs/heads/minority/{NAME}", mine)
    wiki.ingest("Anything")
    done = wiki.consolidate()
    assert ref(wiki) == mine
    assert any("commits of yours" in note for note in done["notes"])
    wiki.git("branch", "-m", f"minority/{NAME}", "mine")
    wiki.ingest("Anything else")
    wiki.consolidate()
    assert ref(wiki) not in ("", mine)


def test_a_branch_called_minority_stops_no_night(wiki: Wiki) -> None:
    wiki.git("branch", "minority")
    opened(wiki, WORDS[0])
    assert ref(wiki) == ""
    wiki.ingest("Anything")
    assert any(
        "cannot be pointed" in note for note in wiki.consolidate()["notes"]
    )


def test_a_deleted_page_takes_its_words_back_and_an_edited_one_keeps_them(
    wiki: Wiki,
) -> None:
    opened(wiki, *WORDS)
    pages = sorted((wiki.root / ".companion/minority" / NAME).iterdir())
    pages[0].unlink()
    pages[1].write_text(pages[1].read_text() + "\nI saw it myself.\n")
    done = wiki.adopt()
    assert done["commit"] == wiki.head and wiki.status() == ""
    assert sql(wiki, "SELECT cluster_size, contradictions FROM branches") == [
        (1, 1)
    ]
    assert (
        "I saw it myself"
        in branches.show_branch(wiki.ws, NAME)["members"][0]["text"]
    )
    pages[1].rename(pages[1].with_name("renamed.md"))
    wiki.commit()
    assert [
        m["path"] for m in branches.show_branch(wiki.ws, NAME)["members"]
    ] == [f".companion/minority/{NAME}/renamed.md"]
    check_index(wiki)


def test_the_verbs_show_what_presses_and_what_would_change(
    wiki: Wiki, tmp_path: Path
) -> None:
    opened(wiki, *WORDS)
    (listed,) = branches.list_branches(wiki.ws)["branches"]
    assert (listed["pressure"], listed["threshold"], listed["commit"]) == (
        0.9,
        1.8,
        wiki.head,
    )
    assert [event["event"] for event in listed["history"]] == [
        "branched",
        "joined",
        "joined",
        "weighed",
    ]
    shown = branches.show_branch(wiki.ws, "once-only")
    assert [member["text"] for member in shown["members"]] == list(WORDS)
    files = promotion_preview.diff_branch(wiki.ws, f"minority/{NAME}")["files"]
    assert [file["change"] for file in files] == ["removed", "removed", "added"]
    assert f"+{WORDS[1]}" in files[2]["diff"]
    before = (wiki.head, wiki.status())
    folder = Path(promotion_preview.open_branch(wiki.ws, NAME)["folder"])
    assert WORDS[0] in (folder / files[2]["path"]).read_text()
    assert (
        (folder / wiki.show("Once only delivery")["path"])
        .read_text()
        .endswith(BELIEF)
    )
    assert (
        not (folder / ".companion").exists()
        and (wiki.head, wiki.status()) == before
    )
    with pytest.raises(branches.NoSuchBranch):
        branches.show_branch(wiki.ws, "nobody")


def test_why_tells_of_a_branch_from_every_side(wiki: Wiki) -> None:
    opened(wiki, WORDS[0])
    member = wiki.search("Tuesday")[0]["id"]
    capture = wiki.show(member)["id"]
    for target, kinds in (
        (NAME, ["branched", "joined", "weighed"]),
        (capture, ["ingested", "consumed", "joined"]),
        (incumbent(wiki), ["created", "consumed", "branched"]),
    ):
        told = [
            event["event"]
            for event in explain_target(wiki.ws, target)["events"]
        ]
        assert [kind for kind in told if kind != "claims"] == kinds


def test_what_waits_in_the_extended_buffer_is_listed_with_its_incumbent(
    wiki: Wiki,
) -> None:
    capture = wiki.ingest(WORDS[0])[0]["id"]
    waits = {
        "e": "waits",
        "capture": capture,
        "kind": "extended",
        "incumbent": incumbent(wiki),
        "reason": "alone",
    }
    run(wiki, [waits], [])
    (item,) = quarantine.list_quarantine(wiki.ws)["extended"]
    assert (item["capture"], item["incumbent"]["title"], item["reason"]) == (
        capture,
        "Once only delivery",
        "alone",
    )
    check_index(wiki)


def test_two_machines_that_open_one_branch_have_one_after_a_merge(
    wiki: Wiki, tmp_path: Path
) -> None:
    other = wiki.copy(tmp_path / "copy")
    opened(wiki, WORDS[0])
    other.tick(minutes=5)
    opened(other, WORDS[1])
    wiki.git("fetch", "-q", str(other.root), "HEAD")
    wiki.git("merge", "-q", "--no-edit", "FETCH_HEAD")
    check_index(wiki)
    assert sql(wiki, "SELECT count(*), sum(cluster_size) FROM branches") == [
        (1, 2)
    ]
    wiki.ingest("Anything")
    wiki.consolidate()
    assert wiki.git("log", "-1", "--format=%H", ref(wiki)) == wiki.git(
        "rev-parse", "HEAD^^2"
    )


def promoted(wiki: Wiki) -> str:
    """Let the branch win, as a night does; the run."""
    db = index.open_for_reading(wiki.ws.place.index_db)
    assert db is not None
    pages = movable_members(db, NAME)
    writes = promotion_files(
        movable_pages(db, wiki.repo(), NAME), "entries/2026/11/duplicates.md"
    )
    entry = {
        "branch": NAME,
        "entry": pages[0].entry,
        "incumbent": incumbent(wiki),
        "path": writes[-1].path,
    }
    held = {
        "blob": objects.hash_blob(writes[-1].content or b""),
        "bucket": "high",
        "quarantined": 0,
    }
    lines: list[dict[str, Any]] = [
        {
            "e": "promoted",
            **entry,
            **held,
            "pages": [page.path for page in pages],
            "reason": "enough",
        },
        {
            "e": "decaying",
            "entry": incumbent(wiki),
            "by": pages[0].entry,
            "reason": "lost",
        },
    ]
    return run(wiki, lines, writes)


def test_a_promotion_moves_the_pages_and_the_incumbent_decays(
    wiki: Wiki,
) -> None:
    opened(wiki, *WORDS)
    promoted(wiki)
    new = wiki.show("entries/2026/11/duplicates.md")
    assert (
        all(words in new["text"] for words in WORDS)
        and len(new["captures"]) == 2
    )
    old = wiki.show("Once only delivery")
    assert (old["state"], old["superseded_by"]) == ("decaying", new["id"])
    assert old["text"].endswith(BELIEF)
    assert sql(wiki, "SELECT state, entry, cluster_size FROM branches") == [
        ("promoted", new["id"], 2)
    ]
    assert list((wiki.root / ".companion/minority" / NAME).iterdir()) == []
    assert ref(wiki) == wiki.head
    check_index(wiki)
    check_health(wiki)


def test_years_later_what_fell_is_never_found_without_what_replaced_it(
    wiki: Wiki,
) -> None:
    """Only the old page is read, by its name, and yet the new one does not fade before it."""
    opened(wiki, *WORDS)
    promoted(wiki)
    new = wiki.show("entries/2026/11/duplicates.md")
    old = wiki.show("Once only delivery")
    for night in range(30):
        wiki.tick(days=14)
        wiki.ingest(f"Day {night}: a long walk, number {night}.")
        wiki.show("Once only delivery")
        wiki.consolidate()
        decay(wiki.ws)

    found = wiki.search("Once only delivery")
    places = {hit["id"]: at for at, hit in enumerate(found)}
    assert places[new["id"]] < places[old["id"]], "the winner comes first"
    shift = found[places[old["id"]]]["shift"]
    assert (shift["role"], shift["other"]) == ("old", new["id"])
    assert wiki.show(new["id"])["state"] == "active"


def test_undo_of_a_promotion_restores_everything(wiki: Wiki) -> None:
    from companion.adoption.undo import undo

    opened(wiki, *WORDS)
    before = (
        wiki.files(),
        sql(wiki, "SELECT * FROM edges"),
        sql(wiki, "SELECT state, superseded_by FROM entries"),
    )
    pages = sorted(
        path.read_text()
        for path in (wiki.root / ".companion/minority" / NAME).iterdir()
    )
    run_id = promoted(wiki)
    wiki.tick()
    undo(wiki.ws, run_id)
    assert (wiki.files(), sql(wiki, "SELECT * FROM edges")) == before[:2]
    assert (
        sql(
            wiki, "SELECT state, superseded_by FROM entries WHERE NOT tombstone"
        )
        == before[2]
    )
    assert (
        sorted(
            path.read_text()
            for path in (wiki.root / ".companion/minority" / NAME).iterdir()
        )
        == pages
    )
    assert sql(wiki, "SELECT state, entry, cluster_size FROM branches") == [
        ("open", None, 2)
    ]
    assert ref(wiki) == wiki.head
    check_index(wiki)
    wiki.tick()
    undo(
        wiki.ws,
        wiki.git(
            "log", "-1", "--format=%(trailers:key=Companion-Run,valueonly)"
        ).strip(),
    )
    assert sql(wiki, "SELECT state FROM branches") == [("promoted",)]
    check_index(wiki)


def test_undo_of_what_opened_a_branch_leaves_it_open_and_empty(
    wiki: Wiki,
) -> None:
    from companion.adoption.undo import undo

    run_id = opened(wiki, *WORDS)
    wiki.tick()
    undo(wiki.ws, run_id)
    assert sql(wiki, "SELECT state, cluster_size FROM branches") == [
        ("open", 0)
    ]
    assert sql(wiki, "SELECT count(*) FROM edges") == [(0,)]
    assert ref(wiki) == wiki.head
    check_index(wiki)


@pytest.mark.parametrize("hand", ["deleted", "renamed", "edited"])
def test_whatever_its_owner_does_with_the_incumbent_the_branch_stays(
    wiki: Wiki, hand: str
) -> None:
    opened(wiki, *WORDS)
    promoted(wiki)
    path = wiki.root / wiki.show("Once only delivery")["path"]
    if hand == "deleted":
        path.unlink()
    elif hand == "renamed":
        path.rename(path.with_name("renamed.md"))
    else:
        path.write_text(path.read_text() + "\nMy own line.\n")
    wiki.commit()
    wiki.consolidate()
    state = "archived" if hand == "deleted" else "decaying"
    assert sql(
        wiki, "SELECT state FROM entries WHERE superseded_by IS NOT NULL"
    ) == [(state,)]
    assert sql(wiki, "SELECT state FROM branches") == [("promoted",)]
    check_index(wiki)


def test_a_name_that_leads_elsewhere_is_refused() -> None:
    for name in ("../x", "a/b", "x.lock", "-x", "a b", "@{1}", ""):
        line = ledger_file.encode_line(
            {
                "v": 1,
                "e": "branched",
                "branch": name,
                "entry": "e",
                "reason": "r",
            }
        )
        made = ledger_file.make_run(
            "consolidate", "2026-11-01T00:00:00.000000Z", {}, []
        )
        with pytest.raises(ledger_file.BadLedger):
            list(
                ledger_file.decode(
                    made.id, ledger_file.encode(made) + line
                ).events
            )
    assert minority.find_branch_of_path(".companion/minority/a/b.md") == "a"
    assert minority.find_branch_of_path(".companion/minority/a/b/c.md") is None
