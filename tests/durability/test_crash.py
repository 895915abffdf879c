"""What else may happen between a kill and the recovery. The kills themselves: `python -m
tests.durability.faults`.
"""

import json

import pytest

from tests.durability.faults.check import intact
from tests.durability.scenes import SECOND_THOUGHT, Stage, harbour
from tests.living import KILLED, Living, leftovers, sound


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    return Stage(tmp_path_factory.mktemp("wikis"))


# --- what else may happen between the kill and the recovery
# --------------------------------------------------


MY_LINE = "My own line, written at the worst moment."


@pytest.mark.parametrize(
    "fault", ["publish.files:after:kill", "publish.ref:after:kill"]
)
def test_pages_edited_between_the_kill_and_the_recovery_keep_every_word(
    stage: Stage, fault: str
) -> None:
    wiki = stage.fresh("grow")
    page = harbour(wiki)
    assert wiki.run("consolidate", fault=fault).returncode == KILLED
    wiki.append(page, MY_LINE)
    wiki.append("Garden.md", MY_LINE)

    assert wiki.run("consolidate").returncode == 0

    assert (
        MY_LINE in (wiki.root / page).read_text()
        and MY_LINE in (wiki.root / "Garden.md").read_text()
    )
    wiki.doc("adopt")
    wiki.doc("consolidate")
    for words in (MY_LINE, "opens at six", "closes at nine", SECOND_THOUGHT):
        assert words in wiki.text()
    assert wiki.git("show", "HEAD:Garden.md").count(MY_LINE) == 1
    sound(wiki)


def test_after_a_kill_the_person_breaks_the_locks_and_commits_everything(
    stage: Stage,
) -> None:
    """What they have committed is theirs: the recovery must not take the pages away again."""
    wiki = stage.fresh("grow")
    assert (
        wiki.run("consolidate", fault="publish.files:after:kill").returncode
        == KILLED
    )
    (wiki.root / ".git/index.lock").unlink()
    (wiki.root / ".git/refs/heads/main.lock").unlink()
    wiki.git("add", ".")
    wiki.git("commit", "--quiet", "-m", "all of it")
    committed = wiki.files()

    assert wiki.run("consolidate").returncode == 0

    assert {path: wiki.files().get(path) for path in committed} == committed
    assert wiki.text().count(SECOND_THOUGHT) == wiki.text().count(
        SECOND_THOUGHT
    )
    assert wiki.git("status", "--porcelain") == ""
    sound(wiki)


def test_a_wiki_that_was_moved_after_the_kill_recovers_where_it_is(
    stage: Stage,
) -> None:
    wiki = stage.fresh("grow")
    assert (
        wiki.run("consolidate", fault="publish.files:after:kill").returncode
        == KILLED
    )
    wiki.root.rename(wiki.root.parent / "moved")
    moved = Living(wiki.root.parent / "moved")
    moved.doc("consolidate")
    assert "closes at nine" in moved.text()
    sound(moved)


def test_a_branch_reset_after_the_kill_gets_its_captures_back(
    stage: Stage,
) -> None:
    wiki = stage.fresh("grow")
    assert (
        wiki.run("consolidate", fault="publish.ref:after:kill").returncode
        == KILLED
    )
    wiki.git("reset", "--quiet", "--keep", "HEAD~1", code=None)
    wiki.doc("consolidate")
    for words in ("opens at six", "closes at nine", SECOND_THOUGHT):
        assert words in wiki.text()
    sound(wiki)


def test_an_intent_whose_commit_git_does_not_have_is_rolled_back(
    stage: Stage,
) -> None:
    wiki = stage.fresh("recover")
    before = wiki.files()
    ((text,),) = wiki.journal("SELECT value FROM meta WHERE key = 'intent'")
    intent = json.loads(text) | {"commit": "f" * 40}
    wiki.journal(
        "UPDATE meta SET value = ? WHERE key = 'intent'", json.dumps(intent)
    )
    assert wiki.run("status").returncode == 0
    assert leftovers(wiki) == []
    assert intact(
        {k: v for k, v in before.items() if not k.startswith("entries/")},
        wiki.files(),
    )
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
