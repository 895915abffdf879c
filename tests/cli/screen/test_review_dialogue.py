"""`review` on a terminal: one question at a time, a key for each answer."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.on_a_terminal import on_a_terminal
from tests.cli.typist import Typist

START = "import sys; from companion.__main__ import main; sys.exit(main())"
PERSON = {
    f"GIT_{role}_{key}": value
    for role in ("AUTHOR", "COMMITTER")
    for key, value in (("NAME", "Ada"), ("EMAIL", "ada@example.org"))
}
ASKED = "[q] quit"


def command(wiki: Path, *words: str) -> list[str]:
    return [sys.executable, "-c", START, "-C", str(wiki), *words]


def doc(wiki: Path, *words: str) -> Any:
    done = subprocess.run(
        command(wiki, "--json", *words),
        capture_output=True,
        check=True,
        env=os.environ | PERSON,
    )
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wiki in which two notes may disagree with two pages."""
    folder = tmp_path_factory.mktemp("dialogue") / "wiki"
    doc(folder, "init", str(folder))
    for name in ("cellar", "garden"):
        doc(folder, "ingest", f"# Door {name}\n\nThe {name} door is open.")
    doc(folder, "consolidate")
    for name in ("cellar", "garden"):
        doc(folder, "ingest", f"# Door {name}\n\nThe {name} door is not open.")
    doc(folder, "consolidate")
    assert doc(folder, "review")["open"] == 2
    return folder


@pytest.fixture
def wiki(start: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(start, tmp_path / "wiki", symlinks=True))


def sit_down(wiki: Path, columns: int = 100, **environment: str) -> Typist:
    return Typist(
        command(wiki, "review"), columns=columns, **PERSON, **environment
    )


def answers(wiki: Path) -> list[str | None]:
    items = doc(wiki, "review", "--all")["items"]
    return [item["answer"] for item in items]


def test_each_question_shows_both_texts_and_takes_one_key(wiki: Path) -> None:
    person = sit_down(wiki)
    first = person.wait_for(ASKED)
    assert "1 of 2" in first
    assert "Is the new one right?" in first
    both = next(line for line in first.split("\n") if "is not open." in line)
    assert "door is open." in both  # beside each other
    person.press("y")
    second = person.wait_for(ASKED)
    assert "Noted: yes, the new one." in second
    assert "2 of 2" in second
    person.press("n")
    person.wait_for(ASKED)
    person.press("q")

    assert person.leave() == 0
    assert "2 questions answered." in person.seen
    assert answers(wiki) == ["prefer-new", "prefer-old"]


def test_undo_takes_the_last_answer_back_and_asks_again(wiki: Path) -> None:
    person = sit_down(wiki)
    person.wait_for(ASKED)
    person.press("y")
    person.wait_for(ASKED)
    person.press("u")
    again = person.wait_for(ASKED)
    assert "Taken back." in again
    assert "1 of 2" in again
    person.press("q")

    assert person.leave() == 0
    assert answers(wiki) == [None, None]
    assert doc(wiki, "status")["to_review"] == 2
    night = doc(wiki, "consolidate")
    assert doc(wiki, "review")["open"] == 2, night


def test_the_last_answer_can_be_undone_and_what_was_left_is_asked(
    wiki: Path,
) -> None:
    person = sit_down(wiki)
    person.wait_for(ASKED)
    person.press("l")
    person.wait_for(ASKED)
    person.press("y")
    person.wait_for(ASKED)
    person.press("u")
    assert "2 of 2" in person.wait_for(ASKED)
    person.press("n")
    person.wait_for(ASKED)
    person.press("l")
    assert "1 of 2" in person.wait_for(ASKED)
    person.press("b")
    assert "left for later" not in person.wait_for(ASKED)
    person.press("q")

    assert person.leave() == 0
    assert answers(wiki) == ["merge", "prefer-old"]


def test_a_key_that_answers_nothing_is_said_so(wiki: Path) -> None:
    person = sit_down(wiki)
    person.wait_for(ASKED)
    person.press("x")
    assert "“x” is none of the answers." in person.wait_for(ASKED)
    person.press("q")
    assert person.leave() == 0
    assert answers(wiki) == [None, None]


def test_an_answer_before_the_one_taken_back_holds_again(wiki: Path) -> None:
    id = doc(wiki, "review")["items"][0]["id"]
    doc(wiki, "review", "prefer", id, "old")
    doc(wiki, "review", "prefer", id, "new")

    assert doc(wiki, "review", "undo", id)["answer"] == "prefer-old"
    assert doc(wiki, "review", "undo", id)["answer"] is None
    refused = subprocess.run(
        command(wiki, "review", "undo", id), capture_output=True, text=True
    )
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "can be taken back" in refused.stderr


def test_a_recorded_answer_is_not_taken_back(wiki: Path) -> None:
    id = doc(wiki, "review")["items"][0]["id"]
    doc(wiki, "review", "prefer", id, "old")
    doc(wiki, "consolidate")
    refused = subprocess.run(
        command(wiki, "review", "undo", id), capture_output=True, text=True
    )

    assert refused.returncode == 2
    assert "A night has weighed it" in refused.stderr


def test_later_leaves_a_question_and_quitting_keeps_what_was_answered(
    wiki: Path,
) -> None:
    person = sit_down(wiki)
    person.wait_for(ASKED)
    person.press("l")
    person.wait_for(ASKED)
    person.press("b")
    assert "look at the 1 left for later" in person.wait_for(ASKED)
    person.press("q")

    assert person.leave() == 0
    assert "1 question answered, 1 left for later." in person.seen
    assert answers(wiki) == [None, "merge"]


def test_the_terminal_is_as_it_was_afterwards(wiki: Path) -> None:
    person = sit_down(wiki)
    person.wait_for(ASKED)
    person.press("\x1b[A")  # an arrow is no answer
    person.press("x")
    person.wait_for(ASKED)
    person.press("\x04")

    assert person.leave() == 0
    assert person.after == person.before
    assert answers(wiki) == [None, None]


def test_ctrl_c_ends_it_and_keeps_the_answers(wiki: Path) -> None:
    person = sit_down(wiki)
    person.wait_for(ASKED)
    person.press("y")
    person.wait_for(ASKED)
    person.program.send_signal(2)

    assert person.leave() == 130
    assert person.after == person.before
    assert answers(wiki) == ["prefer-new", None]


def test_a_narrow_terminal_stacks_the_texts(wiki: Path) -> None:
    person = sit_down(wiki, columns=60)
    shown = person.wait_for(ASKED)
    person.press("q")
    person.leave()

    lines = shown.split("\n")
    assert max(map(len, lines)) <= 60
    assert not [
        line for line in lines if "not open." in line and "is open." in line
    ]


def test_open_calls_the_person_s_editor(wiki: Path, tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    editor.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/opened\n')
    editor.chmod(0o755)
    person = sit_down(wiki, EDITOR=f"{editor} --wait")
    person.wait_for(ASKED)
    person.press("o")
    person.wait_for(ASKED)
    person.press("q")
    person.leave()

    opened = (tmp_path / "opened").read_text()
    assert opened.startswith("--wait ")
    assert opened.strip().endswith(".md")


def test_an_editor_that_is_not_there_ends_nothing(wiki: Path) -> None:
    person = sit_down(wiki, EDITOR="/no/such/editor")
    person.wait_for(ASKED)
    person.press("o")
    shown = person.wait_for(ASKED)
    person.press("y")
    person.wait_for(ASKED)
    person.press("q")

    assert person.leave() == 0
    assert "/no/such/editor: No such file or directory" in shown
    assert "door is not open." in shown  # whole, instead
    assert answers(wiki) == ["prefer-new", None]


def test_without_a_person_the_questions_are_listed_as_ever(wiki: Path) -> None:
    listed = on_a_terminal(command(wiki, "review"))  # reads no keys

    assert "may disagree with another note" in listed
    assert listed == on_a_terminal(command(wiki, "review", "--list"))
    piped = subprocess.run(
        command(wiki, "review"), capture_output=True, text=True, check=True
    )
    assert piped.stdout.count("may disagree with another note") == 2
