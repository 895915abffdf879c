"""The program is killed, or its disk refuses, at every durable step, and the next command finds nothing lost."""

import json

import pytest

from companion.store import durable
from tests.living import KILLED, Living, leftovers, sound
from tests.scenes import SCENES, SECOND_THOUGHT, Stage, harbour


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    return Stage(tmp_path_factory.mktemp("wikis"))


def strike(stage: Stage, name: str, fault: str) -> None:
    """Run a scene's command into *fault*; let the next command recover; assert that nothing is lost."""
    wiki, scene = stage.fresh(name), SCENES[name]
    before, commits = wiki.files(), wiki.commits()
    acknowledged = list(wiki.captures())

    struck = wiki.run(*scene.argv, stdin=scene.stdin, fault=fault)

    if fault.endswith(":kill"):
        assert struck.returncode == KILLED, f"{name} {fault}: the fault was not delivered ({struck.returncode})"
    else:
        assert struck.returncode in (74, 75), f"{name} {fault}: {struck.returncode} {struck.stderr!r}"
        assert b"hint: " in struck.stderr and b"Traceback" not in struck.stderr
    acknowledged += [line.split()[1].decode() for line in struck.stdout.splitlines() if line.startswith(b"captured ")]
    shown = {id for id in wiki.captures() if any(id.startswith(short) for short in acknowledged)}
    assert len(shown) == len(set(acknowledged)), f"{name} {fault}: an acknowledged capture is gone"

    again = wiki.run(*(scene.again or scene.argv), stdin=scene.stdin)

    assert again.returncode == 0, f"{name} {fault}: {again.stderr!r}"
    sound(wiki, sorted(shown))
    assert wiki.commits() == commits + (1 if name.startswith("recover") and scene.commits else scene.commits)
    assert intact(name, before, wiki.files()), f"{name} {fault}"


def intact(name: str, before: dict[str, bytes], after: dict[str, bytes]) -> bool:
    """The person's files are the same to the byte, and every word of a managed page is still there."""
    mine = {path for path in before if not path.startswith(("entries/", ".companion/"))}
    grown = [path for path in before if path.startswith("entries/")]
    return all(after.get(path) == before[path] for path in mine) and all(
        set(before[path].splitlines()) <= set(after[path].splitlines()) for path in grown
    )


def _actions(passage: str) -> list[str]:
    return [f"{passage}:{action}" for action in ("kill", "eio", "enospc")]


EVERYDAY = [
    ("ingest one", "journal.commit@1:after:kill"),
    ("ingest bulk", "buffer.refs@1:placed:kill"),
    ("create", "pack.index@1:placed:kill"),
    ("create", "publish.files@1:after:enospc"),
    ("grow", "publish.intent@1:after:kill"),
    ("grow", "swap.place@1:placed:kill"),
    ("grow", "publish.index@1:after:kill"),
    ("grow", "publish.ref@1:after:kill"),
    ("grow", "publish.ref@1:before:eio"),
    ("grow", "fold.commit@2:before:kill"),
    ("adopt", "publish.index@1:after:kill"),
    ("init vault", "publish.files@1:after:kill"),
    ("recover", "swap.undo@1:placed:kill"),
]


@pytest.mark.parametrize(("name", "fault"), EVERYDAY)
def test_nothing_is_lost_to_a_crash_or_a_refusing_disk(stage: Stage, name: str, fault: str) -> None:
    strike(stage, name, fault)


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENES)
def test_the_full_sweep(stage: Stage, name: str, request: pytest.FixtureRequest) -> None:
    passages = stage.passages(name)
    assert passages, "the scene passes no fault point at all"
    faults = [fault for passage in passages for fault in _actions(passage)]
    for fault in faults:
        strike(stage, name, fault)
    print(f"\n{name}: {len(faults)} faults delivered, {len(faults) // 3} of them kills, all survived")


@pytest.mark.slow
def test_the_scenes_pass_every_point_there_is(stage: Stage) -> None:
    """A durable step that no scene reaches is one that no crash test ever visits."""
    seen = set()
    for passage in (passage for name in SCENES for passage in stage.passages(name)):
        where, at = passage.split(":")
        seen.add(f"{where.partition('@')[0]}:{at}")
    registered = {f"{point}:{at}" for point, stages in durable.POINTS.items() for at in stages}
    assert registered - seen - ELSEWHERE == set()


# A vault inside a repository writes its prefix; the sweep of `write.replace` itself is in tests/store/test_durable.py.
ELSEWHERE = {f"write.replace:{at}" for at in durable.POINTS["write.replace"]}


# --- what else may happen between the kill and the recovery --------------------------------------------------


MY_LINE = "My own line, written at the worst moment."


@pytest.mark.parametrize("fault", ["publish.files:after:kill", "publish.ref:after:kill"])
def test_pages_edited_between_the_kill_and_the_recovery_keep_every_word(stage: Stage, fault: str) -> None:
    wiki = stage.fresh("grow")
    page = harbour(wiki)
    assert wiki.run("consolidate", fault=fault).returncode == KILLED
    wiki.append(page, MY_LINE)
    wiki.append("Garden.md", MY_LINE)

    assert wiki.run("consolidate").returncode == 0

    assert MY_LINE in (wiki.root / page).read_text() and MY_LINE in (wiki.root / "Garden.md").read_text()
    wiki.doc("adopt")
    wiki.doc("consolidate")
    for words in (MY_LINE, "opens at six", "closes at nine", SECOND_THOUGHT):
        assert words in wiki.text()
    assert wiki.git("show", "HEAD:Garden.md").count(MY_LINE) == 1
    sound(wiki)


def test_after_a_kill_the_person_breaks_the_locks_and_commits_everything(stage: Stage) -> None:
    """What they have committed is theirs: the recovery must not take the pages away again."""
    wiki = stage.fresh("grow")
    assert wiki.run("consolidate", fault="publish.files:after:kill").returncode == KILLED
    (wiki.root / ".git/index.lock").unlink()
    (wiki.root / ".git/refs/heads/main.lock").unlink()
    wiki.git("add", ".")
    wiki.git("commit", "--quiet", "-m", "all of it")
    committed = wiki.files()

    assert wiki.run("consolidate").returncode == 0

    assert {path: wiki.files().get(path) for path in committed} == committed
    assert wiki.text().count(SECOND_THOUGHT) == wiki.text().count(SECOND_THOUGHT)
    assert wiki.git("status", "--porcelain") == ""
    sound(wiki)


def test_a_wiki_that_was_moved_after_the_kill_recovers_where_it_is(stage: Stage) -> None:
    wiki = stage.fresh("grow")
    assert wiki.run("consolidate", fault="publish.files:after:kill").returncode == KILLED
    wiki.root.rename(wiki.root.parent / "moved")
    moved = Living(wiki.root.parent / "moved")
    moved.doc("consolidate")
    assert "closes at nine" in moved.text()
    sound(moved)


def test_a_branch_reset_after_the_kill_gets_its_captures_back(stage: Stage) -> None:
    wiki = stage.fresh("grow")
    assert wiki.run("consolidate", fault="publish.ref:after:kill").returncode == KILLED
    wiki.git("reset", "--quiet", "--keep", "HEAD~1", code=None)
    wiki.doc("consolidate")
    for words in ("opens at six", "closes at nine", SECOND_THOUGHT):
        assert words in wiki.text()
    sound(wiki)


def test_an_intent_whose_commit_git_does_not_have_is_rolled_back(stage: Stage) -> None:
    wiki = stage.fresh("recover")
    before = wiki.files()
    ((text,),) = wiki.journal("SELECT value FROM meta WHERE key = 'intent'")
    intent = json.loads(text) | {"commit": "f" * 40}
    wiki.journal("UPDATE meta SET value = ? WHERE key = 'intent'", json.dumps(intent))
    assert wiki.run("status").returncode == 0
    assert leftovers(wiki) == []
    assert intact("recover", {k: v for k, v in before.items() if not k.startswith("entries/")}, wiki.files())
    wiki.doc("consolidate")
    sound(wiki)


def test_a_cleared_kept_folder_does_not_stop_the_recovery(stage: Stage) -> None:
    wiki = stage.fresh("recover")
    for file in (wiki.state / "kept").iterdir():
        file.unlink()
    wiki.doc("consolidate")
    wiki.doc("adopt")
    wiki.doc("consolidate")
    assert "opens at six" in wiki.text() and "closes at nine" in wiki.text()
    sound(wiki)
