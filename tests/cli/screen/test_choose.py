"""A name that several pages have: their paths are shown, and a terminal asks which."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.typist import Typist
from tests.wiki import Wiki

PROGRAM = [sys.executable, "-m", "companion"]


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(
        tmp_path / "wiki",
        {
            "One.md": "---\ntitle: The twin\n---\nthe elder\n",
            "deep/Two.md": "---\ntitle: The twin\n---\nthe younger\n",
        },
    )


@pytest.mark.parametrize(
    ("key", "says", "code"),
    [("2", "the younger", 0), ("1", "the elder", 0), ("7", "error", 2)],
)
def test_a_terminal_asks_which_page_is_meant(
    wiki: Wiki, key: str, says: str, code: int
) -> None:
    command = [*PROGRAM, "-C", str(wiki.root), "show", "The", "twin"]
    typist = Typist(command, COMPANION_NOW=wiki.ws.now())
    asked = typist.wait_for("any other key")
    assert asked.index("1  ") < asked.index("2  ")
    typist.press(key)

    assert typist.leave() == code
    assert says in typist.seen


def test_an_option_that_names_a_page_is_asked_for_alike(wiki: Wiki) -> None:
    wiki.write("Hub.md", "[[deep/Two]]\n")
    wiki.adopt()
    command = [
        *PROGRAM,
        "-C",
        str(wiki.root),
        "list",
        "--linked-to",
        "The twin",
    ]
    typist = Typist(command, COMPANION_NOW=wiki.ws.now())
    seen = typist.wait_for("any other key")
    line = next(one for one in seen.splitlines() if "deep/Two.md" in one)
    typist.press(line.split()[0])

    assert typist.leave() == 0
    assert "Hub.md" in typist.seen


def test_a_pipe_gets_the_paths_and_no_question(wiki: Wiki) -> None:
    done = subprocess.run(
        [*PROGRAM, "-C", str(wiki.root), "show", "The twin"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert "names 2 pages" in done.stderr
    assert "One.md" in done.stderr and "deep/Two.md" in done.stderr
