"""A night runs while the person edits and uses git: what they do wins, and no line is lost."""

import json
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.durability.scenes import SECOND_THOUGHT, Stage, harbour
from tests.living import Living, leftovers, proceed, sound, stopped


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    return Stage(tmp_path_factory.mktemp("wikis"))


MY_LINE = "My own line, written at the worst moment."


@pytest.mark.parametrize(
    "at",
    [
        "pack.close@2:before",
        "publish.intent:before",
        "publish.locks:after",
        "publish.files:after",
        "publish.ref:after",
    ],
)
def test_a_managed_page_saved_while_the_run_is_published(
    stage: Stage, at: str
) -> None:
    wiki = stage.fresh("grow")
    page = harbour(wiki)
    night = wiki.start("--json", "consolidate", fault=f"{at}:stop")
    assert stopped(night)
    wiki.append(page, MY_LINE)
    code, out, err = proceed(night)

    assert code == 0, err
    assert MY_LINE in (wiki.root / page).read_text()
    if at in (
        "pack.close@2:before",
        "publish.intent:before",
        "publish.locks:after",
    ):
        assert page in [item["path"] for item in json.loads(out)["left_out"]]
    wiki.doc("adopt")
    wiki.doc("consolidate")
    assert wiki.git("show", f"HEAD:{page}").count(MY_LINE) == 1
    assert "closes at nine" in wiki.git("show", f"HEAD:{page}")
    sound(wiki)


def test_a_file_made_where_a_new_page_was_to_stand_stays(stage: Stage) -> None:
    wiki = stage.fresh("create")
    night = wiki.start("consolidate", fault="publish.intent:before:stop")
    assert stopped(night)
    month = Path(harbour(wiki)).parent
    wiki.write(str(month / "A first thought about sourdough.md"), MY_LINE)
    code, _, err = proceed(night)

    assert code == 0, err
    assert (
        wiki.root / month / "A first thought about sourdough.md"
    ).read_text() == MY_LINE
    assert "A first thought about sourdough" in wiki.text()
    sound(wiki)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_night_undoes_itself_and_leaves_no_lock(
    stage: Stage, number: int
) -> None:
    wiki = stage.fresh("grow")
    before, commits = wiki.files(), wiki.commits()
    # A shell that runs the tests in the background has its children ignore Ctrl-C.
    night = wiki.start(
        "consolidate",
        fault="publish.files:after:stop",
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),
    )
    assert stopped(night)
    night.send_signal(number)
    code, _, err = proceed(night)

    assert (code, err.splitlines()[:1]) == (130, [b"error: interrupted"])
    assert leftovers(wiki) == [] and wiki.commits() == commits
    assert wiki.files() == before
    wiki.doc("consolidate")
    sound(wiki)


# --- git at work meanwhile
# ----------------------------------------------------------------------------------


def _commit_all(wiki: Living) -> None:
    wiki.append(harbour(wiki), MY_LINE)
    wiki.git("commit", "--quiet", "-am", "mine")


def _stage(wiki: Living) -> None:
    wiki.append(harbour(wiki), MY_LINE)
    wiki.git("add", harbour(wiki))


def _stage_only(wiki: Living) -> None:
    page = wiki.root / harbour(wiki)
    before = page.read_bytes()
    _stage(wiki)
    page.write_bytes(before)


def _stash(wiki: Living) -> None:
    wiki.append(harbour(wiki), MY_LINE)
    wiki.git("stash", "--quiet")


def _switch(wiki: Living) -> None:
    wiki.append("Garden.md", MY_LINE)
    wiki.git("checkout", "--quiet", "-b", "elsewhere")


@pytest.mark.parametrize(
    "act", [_commit_all, _stage, _stage_only, _stash, _switch]
)
@pytest.mark.parametrize(
    "at",
    [
        "publish.locks:before",
        pytest.param("pack.close:before", marks=pytest.mark.slow),
    ],
)
def test_what_the_person_does_with_git_before_the_locks_are_taken_wins(
    stage: Stage, act: Callable[[Living], None], at: str
) -> None:
    wiki = stage.fresh("grow")
    night = wiki.start("consolidate", fault=f"{at}:stop")
    assert stopped(night)
    act(wiki)
    theirs = (
        wiki.git("rev-parse", "HEAD"),
        wiki.git("diff", "--cached", "--name-status"),
    )
    code, _, err = proceed(night)

    assert code == (75 if act is _switch else 0), err
    if act is _switch:
        assert (
            wiki.git("rev-parse", "HEAD"),
            wiki.git("diff", "--cached", "--name-status"),
        ) == theirs
        assert b"elsewhere is checked out" in err
        wiki.git("checkout", "--quiet", "main")
    assert theirs[0] in wiki.git("rev-list", "HEAD")
    if act is _stash:
        wiki.git("stash", "pop", "--quiet", code=None)
    staged, files = wiki.git("diff", "--cached"), wiki.text()
    assert MY_LINE in files + staged + wiki.git("stash", "list", "-p")
    assert (
        "opens at six" in files and SECOND_THOUGHT in files
    ) or act is _switch
    if act in (_stage, _stage_only):
        assert MY_LINE in staged
    sound(wiki)


@pytest.mark.parametrize(
    "act",
    [
        ("commit", "-qam", "mine"),
        ("add", "Garden.md"),
        ("stash",),
        ("checkout", "-qb", "x"),
    ],
)
def test_git_is_kept_out_while_the_files_are_moved(
    stage: Stage, act: tuple[str, ...]
) -> None:
    wiki = stage.fresh("grow")
    wiki.append("Garden.md", MY_LINE)
    night = wiki.start("consolidate", fault="publish.files:before:stop")
    assert stopped(night)
    refused = subprocess.run(
        ["git", *act], cwd=wiki.root, env=wiki.env, capture_output=True
    )
    code, _, err = proceed(night)

    assert refused.returncode != 0
    assert code == 0, err
    assert MY_LINE in (wiki.root / "Garden.md").read_text()
    assert "closes at nine" in wiki.git("show", f"HEAD:{harbour(wiki)}")
    sound(wiki)


@pytest.mark.parametrize(
    "at", ["buffer.refs:before", "publish.intent:before", "publish.ref:before"]
)
def test_git_gc_does_not_take_what_no_ref_names_yet(
    stage: Stage, at: str
) -> None:
    wiki = stage.fresh("grow")
    night = wiki.start("consolidate", fault=f"{at}:stop")
    assert stopped(night)
    # refused while the branch is locked
    wiki.git("gc", "--quiet", "--prune=now", code=None)
    wiki.git("repack", "-adq", code=None)
    wiki.git("prune", "--expire=now", code=None)
    code, _, err = proceed(night)

    assert code == 0, err
    assert SECOND_THOUGHT in wiki.text()
    assert list((wiki.root / ".git/objects/pack").glob("*.keep")) == []
    sound(wiki)


def test_git_gc_does_not_take_a_page_that_git_converts_while_it_is_adopted(
    stage: Stage,
) -> None:
    """Git stores its conversion as a loose object that no ref names yet; the commit must not point
    at a hole.
    """
    wiki = stage.fresh("adopt")
    wiki.write(".gitattributes", "*.md text eol=lf\n")
    night = wiki.start("adopt", fault="publish.intent:before:stop")
    assert stopped(night)
    wiki.git("gc", "--quiet", "--prune=now")
    code, _, err = proceed(night)

    assert code == 0, err
    assert "Beans too." in wiki.git("show", "HEAD:Garden.md")
    sound(wiki)


def test_a_save_of_the_same_length_in_the_second_of_a_commit_is_still_seen_after_a_night(
    stage: Stage,
) -> None:
    """Git tells it from a clean page by the age of its index only; unseen, the next checkout would
    overwrite it.
    """
    wiki = stage.fresh("grow")
    page = wiki.root / "Garden.md"
    for n in range(20):
        time.sleep(1 - time.time() % 1)  # git looks at whole seconds
        page.write_text(f"# Garden\n\nTomatoes {n:02}\n")
        wiki.git("add", "Garden.md")
        wiki.git("commit", "--quiet", "-m", "mine")
        with page.open("r+") as file:
            file.write("# Garden\n\nCucumber")
        if int(page.stat().st_ctime) == int(
            (wiki.root / ".git/index").stat().st_mtime
        ):
            break
    time.sleep(1)
    assert wiki.doc("consolidate")["run"] is not None

    assert wiki.git("--no-optional-locks", "diff", "--name-only") == "Garden.md"
    assert [item["path"] for item in wiki.doc("adopt")["edited"]] == [
        "Garden.md"
    ]
    assert "Cucumber" in wiki.git("show", "HEAD:Garden.md")
    sound(wiki)


def test_a_lock_of_somebody_else_is_respected_and_named(stage: Stage) -> None:
    wiki = stage.fresh("grow")
    for lock in (".git/index.lock", ".git/refs/heads/main.lock"):
        held = wiki.write(lock, b"")
        error = wiki.doc("consolidate", code=75)["error"]
        assert (
            error["kind"] == "git-busy"
            and str(held) in error["message"]
            and "remove the lock" in error["hint"]
        )
        assert held.exists()
        held.unlink()
    wiki.doc("consolidate")
    sound(wiki)
