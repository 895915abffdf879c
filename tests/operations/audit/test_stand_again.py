"""A note that an audit let go stands again where that audit no longer has the last word."""

import shutil
from pathlib import Path

from companion.adoption import undo
from companion.reading.entry.show import show_target
from tests.operations.audit.test_statements import (
    RIGHT,
    WRONG,
    ask,
    captures,
    run,
    settled,
    wiki,
)
from tests.wiki import Wiki, check_health, check_index

__all__ = ["wiki"]  # a fixture


def place(wiki: Wiki, capture: str) -> str:
    return str(show_target(wiki.ws, capture)["place"]["state"])


def let_go_here_and_need_there(wiki: Wiki, tmp_path: Path) -> str:
    """The note that an audit let go here, and that a later one of another machine found needed,
    whose run is here by now.
    """
    wrong, _ = captures(wiki)
    shutil.copytree(wiki.root, tmp_path / "other")
    other = Wiki(tmp_path / "other", wiki.now)
    other.tick(minutes=7)
    ask(wiki, WRONG, "bad")
    ask(wiki, RIGHT, "good")
    run(wiki)
    settled(wiki)
    assert place(wiki, wrong) == "lost"
    ask(other, WRONG, "good")
    ask(other, RIGHT, "good")
    other.now = max(wiki.now, other.now)
    run(other)
    wiki.git("fetch", "-q", str(other.root), "HEAD")
    wiki.git("merge", "-q", "-m", "both", "FETCH_HEAD")
    wiki.now = other.now
    return wrong


def test_a_later_audit_of_another_machine_is_the_reason_and_is_told_once(
    wiki: Wiki, tmp_path: Path
) -> None:
    wrong = let_go_here_and_need_there(wiki, tmp_path)

    done = settled(wiki)

    steps = [
        (each["what"], each["reason"].split(" (")[0])
        for each in done["settled"]
        if each["statement"] and each["statement"]["capture"] == wrong
    ]
    assert steps == [("restored", "Answers depend on this note.")]
    assert place(wiki, wrong) == "stands"
    line = wiki.events("statement")[-1]
    assert line["reason"].startswith("Answers depend on this note. (audit ")
    assert "taken back" not in str([line, *wiki.events("grown")])
    assert settled(wiki, days=8)["run"] is None
    check_index(wiki)
    check_health(wiki)


def take_back(wiki: Wiki, run_id: str) -> str:
    wiki.tick(hours=1)
    return str(undo.undo(wiki.ws, run_id)["run"])


def excuse(wiki: Wiki) -> tuple[str, str, str]:
    """Let a note go, and stand again once its audit was taken back: the note, and the runs that
    took back and let stand.
    """
    wrong, _ = captures(wiki)
    ask(wiki, WRONG, "bad")
    ask(wiki, RIGHT, "good")
    audited = run(wiki)["run"]
    settled(wiki)
    undone = take_back(wiki, audited)
    done = settled(wiki)
    assert place(wiki, wrong) == "stands"
    return wrong, undone, str(done["run"])


def test_an_audit_that_is_in_force_again_lets_go_again(wiki: Wiki) -> None:
    wrong, undone, _ = excuse(wiki)
    take_back(wiki, undone)

    done = settled(wiki)

    (step,) = done["settled"]
    assert (step["what"], step["statement"]["capture"]) == ("decaying", wrong)
    assert place(wiki, wrong) == "lost"
    (step,) = settled(wiki, days=8)["settled"]
    assert step["what"] == "archived"
    assert settled(wiki, days=8)["run"] is None
    check_index(wiki)
    check_health(wiki)


def test_what_is_edited_meanwhile_is_settled_once(wiki: Wiki) -> None:
    wrong, undone, _ = excuse(wiki)
    path = show_target(wiki.ws, "Hub")["path"]
    text = wiki.read(path)
    wiki.write(path, text.replace(f"The {WRONG[0]} rules are", "My rules are"))
    wiki.adopt()
    take_back(wiki, undone)

    (step,) = settled(wiki)["settled"]

    assert (step["what"], place(wiki, wrong)) == ("nothing", "stands")
    assert settled(wiki)["run"] is None


def test_whoever_takes_back_that_it_stands_again_is_not_overruled(
    wiki: Wiki,
) -> None:
    wrong, undone, restored = excuse(wiki)
    take_back(wiki, restored)
    assert place(wiki, wrong) == "lost"

    assert settled(wiki)["run"] is None

    assert place(wiki, wrong) == "lost"
    take_back(wiki, undone)
    (step,) = settled(wiki, days=8)["settled"]
    assert step["what"] == "archived"
    check_index(wiki)


def test_whoever_takes_back_that_it_is_let_go_again_is_not_overruled(
    wiki: Wiki,
) -> None:
    wrong, undone, _ = excuse(wiki)
    take_back(wiki, undone)
    take_back(wiki, settled(wiki)["run"])
    assert place(wiki, wrong) == "stands"

    assert settled(wiki, days=8)["run"] is None

    assert place(wiki, wrong) == "stands"
    check_index(wiki)
