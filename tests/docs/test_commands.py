"""Every command that the documents show does what they show."""

import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from companion.cli import commands
from tests.docs import transcripts
from tests.docs.transcripts import Outcome, Step

PAGES = transcripts.pages()
NAMES = [str(page.relative_to(transcripts.ROOT)) for page in PAGES]


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_the_commands_of_a_page_do_what_it_shows(
    page: Path, tmp_path: Path
) -> None:
    steps = transcripts.read_steps(page.read_text())
    if not steps:
        return

    outcomes = transcripts.run_steps(steps, tmp_path)

    differences = transcripts.find_differences(steps, outcomes)
    hint = "\nif the program is right: python -m tests.docs --write"
    assert not differences, "\n".join(map(str, differences)) + hint


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_a_command_stands_where_it_is_run(page: Path) -> None:
    fences = re.findall(
        r"^```(\w*)\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL
    )
    # A synopsis ("text") is no command; what looks typed is.
    typed = {
        "": r"^\$ companion ",
        "text": r"^\$ companion ",
        "console": r"(?!)",
    }
    other = r"^(\$ )?companion "
    unchecked = [
        body
        for kind, body in fences
        if re.search(typed.get(kind, other), body, re.M)
    ]

    assert not unchecked


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_every_verb_in_a_sentence_exists(page: Path) -> None:
    prose = re.sub(
        r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL
    )
    named = set(re.findall(r"`companion ((?!-)[a-z]+)\b", prose))

    assert not named - verbs()


@cache
def verbs() -> set[str]:
    program = Path(sys.executable).parent / "companion"
    done = subprocess.run(
        [program, "--help"], capture_output=True, text=True, check=True
    )
    offered = set(re.findall(r"[a-z]+", done.stdout))
    return offered & set(commands.NAMES)


def test_the_checks_can_fail() -> None:
    page = (
        "```console\n$ one\nabc 1234567\n…\nlast\n$ two\n```\n<!-- exit: 3 -->\n```console\n$"
        " three\n```\n"
    )
    steps = transcripts.read_steps(page)
    right = [
        Outcome(("abc 89abcde", "more", "last"), 0),
        Outcome((), 0),
        Outcome((), 3),
    ]

    assert steps[0] == Step(
        1, "one", transcripts.BEGIN, 0, ("abc 1234567", "…", "last")
    )
    assert transcripts.find_differences(steps, right) == []
    for wrong in (
        Outcome(("abd 89abcde", "last"), 0),
        Outcome(("abc 89abcde",), 0),
        right[0]._replace(code=1),
    ):
        assert (
            len(transcripts.find_differences(steps, [wrong, *right[1:]])) == 1
        )
    assert (
        len(transcripts.find_differences(steps, [*right[:2], Outcome((), 0)]))
        == 1
    )

    unlike = transcripts.find_differences(
        steps, [Outcome(("new", "middle", "end"), 0), *right[1:]]
    )
    assert transcripts.rewrite(page, unlike).startswith(
        "```console\n$ one\nnew\n…\nend\n$ two\n```\n"
    )
