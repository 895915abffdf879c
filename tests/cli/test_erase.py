"""What a person sees and types when words must go."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli.json_schema import SHAPES
from tests.cli.shapes import mismatch
from tests.living import Living

LEAK = "Zebra-77/horse+staple"


@pytest.fixture
def wiki(tmp_path: Path) -> Living:
    wiki = Living(tmp_path / "wiki")
    wiki.root.mkdir()
    wiki.doc("init", ".")
    wiki.ingest(f"It opens with {LEAK} at six.", title="Harbour")
    wiki.doc("consolidate")
    return wiki


def test_words_from_a_pipe_are_previewed_and_then_erased(wiki: Living) -> None:
    shown = wiki.run("erase", "--match", "-", stdin=f"{LEAK}\n".encode())
    assert (
        shown.returncode == 0
        and LEAK.encode() not in shown.stdout + shown.stderr
    )
    assert (
        b"would erase" in shown.stdout and b"no backup is kept" in shown.stdout
    )
    (word,) = re.findall(rb"--confirm ([0-9a-f]{8})", shown.stderr)

    done = wiki.run(
        "erase", "--match", "-", "--confirm", word.decode(), stdin=LEAK.encode()
    )

    assert done.returncode == 0, done.stderr
    assert b"the words are nowhere" in done.stdout and LEAK not in wiki.text()


def test_the_document_has_its_shape(wiki: Living) -> None:
    preview = wiki.doc("erase", LEAK)
    assert mismatch(SHAPES["erase"], preview) is None
    assert (
        mismatch(
            SHAPES["erase"],
            wiki.doc("erase", LEAK, "--confirm", preview["confirm"]),
        )
        is None
    )


def test_what_cannot_be_done_says_so(wiki: Living) -> None:
    assert wiki.doc("erase", code=2)["error"]["kind"] == "usage"
    assert wiki.doc("erase", "--match", LEAK, code=2)["error"][
        "hint"
    ].startswith("Words on the command line")
    assert wiki.doc("erase", "ab", code=65)["error"]["kind"] == "too-short"
    assert (
        wiki.doc("erase", "nobody said this", code=1)["error"]["exit_code"] == 1
    )
    assert (
        wiki.doc("erase", LEAK, "--confirm", "yes", code=2)["error"]["kind"]
        == "not-confirmed"
    )
    said = wiki.run("erase", LEAK).stderr.decode()
    assert "stay in your shell's history" in said


@pytest.mark.parametrize("slip", [False, True])
def test_on_a_terminal_the_words_are_asked_for_unseen_and_a_word_is_typed(
    wiki: Living, slip: bool
) -> None:
    """Nothing but the word of the preview will do: neither `yes` nor a bare return erases
    anything.
    """
    word = wiki.doc("erase", LEAK)["confirm"]
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "companion", "erase", "--match", "-"]
    streams = {"stdin": theirs, "stdout": theirs, "stderr": theirs}
    child = subprocess.Popen(
        command, cwd=wiki.root, env=wiki.env, start_new_session=True, **streams
    )
    _answer(ours, b"not shown", LEAK.encode())
    said = _answer(ours, b"or nothing: ", b"yes" if slip else word.encode())
    os.close(theirs)
    code = child.wait(timeout=60)
    os.close(ours)

    assert code == (2 if slip else 0)
    assert (LEAK in wiki.text()) is slip
    assert LEAK.encode() not in said


def _answer(terminal: int, prompt: bytes, line: bytes) -> bytes:
    """Wait for *prompt*, type *line*, and return what was said."""
    said = b""
    while prompt not in said:
        said += os.read(terminal, 4096)
    os.write(terminal, line + b"\n")
    return said
