"""Two machines, one wiki: histories as they come together, each kind by name (test_history.py mixes
them at random).
"""

from pathlib import Path

import pytest

from companion.adoption import undo
from companion.reading.log import list_runs
from companion.storage.git.repo import TryLater
from tests.wiki import Wiki, check_captures, check_health, check_index

PAGE = "entries/2026/11/Oat milk.md"


@pytest.fixture
def desk(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "desk", {"Alpha.md": "# Alpha\n\nheron\n"})


@pytest.fixture
def laptop(desk: Wiki, tmp_path: Path) -> Wiki:
    return desk.clone(tmp_path / "laptop")


def night(
    wiki: Wiki, *texts: str, after: Wiki | None = None, **about: str
) -> dict[str, bytes]:
    """Capture *texts* and consolidate; what was acknowledged."""
    wiki.now = max(wiki.now, after.now) if after else wiki.now
    done = wiki.ingest(*texts, **about)
    wiki.consolidate()
    return {
        capture["id"]: text.encode()
        for capture, text in zip(done, texts, strict=True)
    }


def pull(wiki: Wiki, other: Wiki, *how: str) -> None:
    wiki.now = max(wiki.now, other.now)
    wiki.tick()
    wiki.git("fetch", "-q", str(other.root), "HEAD")
    wiki.git(*how, "FETCH_HEAD")


def sound(wiki: Wiki, acknowledged: dict[str, bytes]) -> None:
    check_index(wiki)
    check_captures(wiki, acknowledged)
    check_health(wiki)
    assert wiki.status() == ""


MERGE, REBASE = ("merge", "-q", "-m", "together"), ("rebase", "-q")


@pytest.mark.parametrize("how", [MERGE, REBASE], ids=["merge", "rebase"])
def test_each_ran_nights_and_they_come_together(
    desk: Wiki, laptop: Wiki, how: tuple[str, ...]
) -> None:
    mine = night(desk, "# Oat milk\n\nat the desk") | night(desk, "# Tea")
    yours = night(laptop, "# Coffee\n\non the laptop", after=desk)
    later = night(desk, "# Heron", after=laptop)
    pull(laptop, desk, *how)
    sound(laptop, yours)
    assert {
        hit["title"]
        for word in ("desk", "laptop", "heron", "tea")
        for hit in laptop.search(word)
    } == {
        "Oat milk",
        "Coffee",
        "Heron",
        "Alpha",
        "Tea",
    }
    assert laptop.consolidate()["run"] is None, "nothing is done twice"
    pull(desk, laptop, "merge", "-q", "--ff-only")
    sound(desk, mine | later)
    assert desk.head == laptop.head


def test_one_name_in_two_months_becomes_two_names_on_either_machine(
    desk: Wiki, laptop: Wiki
) -> None:
    """Without this every [[oat-milk]] would be a guess of Obsidian's."""
    mine = night(desk, "# Oat milk\n\nat the desk [[Alpha]]")
    laptop.tick(days=31)
    yours = night(laptop, "# Oat milk\n\non the laptop")
    second = "entries/2026/12/Oat milk.md"
    words = (laptop.root / second).read_bytes()
    id = laptop.show(second)["id"]
    for one, other, acknowledged in (
        (desk, laptop, mine),
        (laptop, desk, yours),
    ):
        pull(one, other, *MERGE)
        sound(one, acknowledged)
        one.tick()
        done = one.consolidate()
        (note,) = done["notes"]
        assert note.startswith(
            f"{second} is now entries/2026/12/Oat milk (2).md: {PAGE}, made by the earlier run "
        )
        assert (
            one.root / "entries/2026/12/Oat milk (2).md"
        ).read_bytes() == words
        assert not (one.root / second).exists()
        assert one.show(id)["path"] == "entries/2026/12/Oat milk (2).md"
        assert [event["reason"] for event in one.events("renamed")] == [
            note.split(": ", 1)[1]
        ]
        sound(one, acknowledged)
        assert one.consolidate()["run"] is None
        if one is desk:
            undone = undo.undo(one.ws, done["run"])
            assert (undone["restored"], undone["removed"]) == (
                [second],
                ["entries/2026/12/Oat milk (2).md"],
            )
            check_index(one)
            one.tick()
            assert one.consolidate()["run"] is None, (
                "a person who took it back is not overruled"
            )
            one.git("reset", "-q", "--hard", "HEAD~2")
    assert desk.head != laptop.head


def test_a_page_its_owner_moved_or_is_editing_keeps_its_name(
    desk: Wiki, laptop: Wiki
) -> None:
    night(desk, "# Oat milk\n\nat the desk")
    laptop.tick(days=31)
    night(laptop, "# Oat milk\n\non the laptop")
    pull(laptop, desk, *MERGE)
    laptop.write(
        "entries/2026/12/Oat milk.md",
        laptop.read("entries/2026/12/Oat milk.md") + "in the editor\n",
    )
    assert not laptop.consolidate()["notes"]
    assert laptop.read("entries/2026/12/Oat milk.md").endswith(
        "in the editor\n"
    )
    laptop.git("checkout", "-q", "--", ".")
    laptop.git("mv", "entries/2026/12/Oat milk.md", "entries/Oat milk.md")
    laptop.commit("where I want it")
    laptop.consolidate()
    laptop.tick()
    assert not laptop.consolidate()["notes"]
    assert (laptop.root / "entries/Oat milk.md").exists()
    check_index(laptop)


def test_one_path_on_two_machines_is_a_conflict_of_the_persons(
    desk: Wiki, laptop: Wiki
) -> None:
    mine = night(desk, "# Oat milk\n\nat the desk")
    yours = night(laptop, "# Oat milk\n\non the laptop", after=desk)
    laptop.git("fetch", "-q", str(desk.root), "HEAD")
    laptop.git("merge", "-q", "FETCH_HEAD", check=False)
    assert f'AA "{PAGE}"' in laptop.status().splitlines()
    assert laptop.search("laptop"), "reads go on in the middle of a merge"
    laptop.ingest("and so do captures")
    with pytest.raises(TryLater):
        laptop.consolidate()
    laptop.write(PAGE, laptop.git("show", f"HEAD:{PAGE}") + "\nat the desk\n")
    laptop.commit("merged by hand")
    laptop.consolidate()
    sound(laptop, yours)
    assert {hit["path"] for hit in laptop.search("desk")} == {PAGE}
    assert set(mine) <= {
        event["capture"] for event in laptop.events("consumed")
    }


def test_the_same_words_on_both_machines_are_one_capture(
    desk: Wiki, laptop: Wiki
) -> None:
    mine = night(desk, "# Oat milk\n\nthe very same")
    laptop.now = desk.now
    yours = night(laptop, "# Oat milk\n\nthe very same")
    assert mine == yours
    laptop.git("fetch", "-q", str(desk.root), "HEAD")
    laptop.git("merge", "-q", "-X", "ours", "FETCH_HEAD", "-m", "together")
    sound(laptop, yours)
    assert len(laptop.search("very")) == 1


def test_a_squash_merge_and_a_cherry_pick_of_a_run_are_that_run(
    desk: Wiki, laptop: Wiki
) -> None:
    mine = night(desk, "# Oat milk") | night(desk, "# Tea")
    picked = night(desk, "# Coffee")
    run = list_runs(desk.ws)["runs"][0]["run"]
    laptop.now = desk.now
    laptop.git("fetch", "-q", str(desk.root), "HEAD")
    laptop.git("cherry-pick", "FETCH_HEAD")
    sound(laptop, {})
    assert list_runs(laptop.ws)["runs"][0]["run"] == run
    assert set(picked) == {
        event["capture"] for event in laptop.events("consumed")
    }
    laptop.git("merge", "-q", "--squash", "FETCH_HEAD")
    laptop.commit("squashed")
    sound(laptop, {})
    assert set(mine | picked) == {
        event["capture"] for event in laptop.events("consumed")
    }
    pull(desk, laptop, *MERGE)
    sound(desk, mine | picked)
    assert desk.consolidate()["run"] is None


def test_another_branch_and_back(desk: Wiki) -> None:
    mine = night(desk, "# Oat milk")
    desk.git("switch", "-q", "-c", "drafts", "HEAD~1")
    desk.write("draft.md", "heron, unfinished\n")
    desk.commit("a draft")
    assert {hit["path"] for hit in desk.search("heron")} == {"Alpha.md"}, (
        "the wiki's branch answers"
    )
    yours = {done["id"]: b"meanwhile" for done in desk.ingest("meanwhile")}
    desk.git("switch", "-q", "main")
    desk.git("merge", "-q", "drafts", "-m", "drafts")
    desk.consolidate()
    sound(desk, mine | yours)
    assert len(desk.search("heron")) == 2


def test_commits_from_a_linked_work_tree(desk: Wiki, tmp_path: Path) -> None:
    mine = night(desk, "# Oat milk")
    desk.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    side = Wiki(tmp_path / "side", desk.now)
    yours = {
        done["id"]: b"from the side" for done in side.ingest("from the side")
    }
    side.write("side.md", "heron on the side\n")
    side.commit()
    desk.now = side.now
    desk.git("merge", "-q", "side", "-m", "side")
    desk.consolidate()
    sound(desk, mine | yours)
    assert {hit["path"] for hit in desk.search("side")} >= {"side.md"}


def test_a_reverted_and_a_lost_run(desk: Wiki) -> None:
    mine = night(desk, "# Oat milk") | night(desk, "# Tea")
    desk.git("revert", "--no-edit", "HEAD")
    check_index(desk)
    check_captures(desk, mine)
    desk.git("reset", "-q", "--hard", "HEAD~2")
    check_index(desk)
    check_captures(desk, mine)
    assert desk.git("for-each-ref", "refs/companion/lost")
    desk.git("gc", "-q", "--prune=now")
    (kept, *_) = desk.git(
        "for-each-ref", "--format=%(refname)", "refs/companion/lost"
    ).split()
    desk.git("merge", "-q", kept, "-m", "back again")
    sound(desk, mine)


def test_a_page_deleted_by_its_owner_stays_deleted_through_every_merge(
    desk: Wiki, laptop: Wiki
) -> None:
    mine = night(desk, "# Oat milk\n\nat the desk")
    pull(laptop, desk, "merge", "-q", "--ff-only")
    laptop.git("rm", "-q", PAGE)
    laptop.commit("I do not want it")
    desk.now = laptop.now
    mine |= night(desk, "# Tea")
    pull(desk, laptop, *MERGE)
    desk.consolidate()
    sound(desk, mine)
    assert not (desk.root / PAGE).exists()
    assert desk.show("Oat milk")["state"] == "archived"
    mine |= night(desk, "# Oat milk\n\nagain")
    check_captures(desk, mine)
    check_index(desk)


def test_a_fresh_clone_has_the_record_and_not_the_buffer(
    desk: Wiki, tmp_path: Path
) -> None:
    mine = night(desk, "# Oat milk") | {
        done["id"]: b"waits" for done in desk.ingest("waits")
    }
    for depth in ((), ("--depth=1",), ("--single-branch",)):
        root = tmp_path / ("clone" + "".join(depth))
        desk.git("clone", "-q", *depth, f"file://{desk.root}", str(root))
        clone = Wiki(root, desk.now)
        head = clone.head
        clone.init()
        assert not clone.git("for-each-ref", "refs/companion")
        assert (clone.head, clone.status()) == (head, "")
        assert {hit["title"] for hit in clone.search("oat")} == {"Oat milk"}
        yours = night(clone, "# Oat milk\n\nmore")
        sound(clone, yours)
    check_captures(desk, mine)


def test_a_shallow_clone_is_deepened_and_cut_off_again(
    desk: Wiki, tmp_path: Path
) -> None:
    for n in range(4):
        night(desk, f"# Note {n}\n\nheron")
    desk.git(
        "clone",
        "-q",
        "--depth=2",
        f"file://{desk.root}",
        str(tmp_path / "shallow"),
    )
    wiki = Wiki(tmp_path / "shallow", desk.now)
    wiki.init()
    mine = night(wiki, "# Oat milk")
    sound(wiki, mine)
    wiki.git("fetch", "-q", "--unshallow")
    sound(wiki, mine)
    wiki.git("fetch", "-q", "--depth=1")
    mine |= night(wiki, "# Tea")
    sound(wiki, mine)
    wiki.git("reflog", "expire", "--expire=now", "--all")
    wiki.git("gc", "-q", "--prune=now")
    sound(wiki, mine)
