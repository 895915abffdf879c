"""`companion ingest` on what is no note: what it says, and how it ends."""

import errno
import io
import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.__main__ import main
from companion.cli.json_schema import SHAPES
from companion.storage.files import durable
from tests.cli.shapes import mismatch


class Program:
    """The program, in this process, in a fresh wiki."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def run(self, *argv: str, code: int = 0) -> tuple[str, str]:
        got = main(argv)
        said = self.capsys.readouterr()
        assert got == code, said
        return said.out, said.err

    def doc(self, *argv: str, code: int = 0) -> Any:
        doc = json.loads(self.run("--json", "ingest", *argv, code=code)[0])
        if "error" not in doc:
            assert mismatch(SHAPES["ingest"], doc) is None
        return doc


@pytest.fixture
def program(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Program:
    monkeypatch.delenv("COMPANION_WIKI", raising=False)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    program = Program(capsys)
    program.run("-q", "init", str(tmp_path / "wiki"))
    monkeypatch.chdir(tmp_path / "wiki")
    return program


def write_chats(path: Path, count: int = 3, words: str = "hi") -> None:
    chats = [{"mapping": {"a": f"{words} {n}"}} for n in range(count)]
    path.write_text(json.dumps(chats))


def test_an_export_says_what_is_new(program: Program, tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    write_chats(path)
    out, err = program.run("ingest", "--dry-run", str(path))
    assert out.endswith("conversations.json (3 new in it)\n")
    assert "nothing was changed" in err

    assert program.run("ingest", str(path))[0] == out
    write_chats(path, 5)
    assert "(2 new, 3 known in it)" in program.run("ingest", str(path))[0]
    doc = program.doc(str(path))
    assert doc["counts"]["known"] == 5
    assert doc["originals"][0]["members"]["known"] == 5


def test_blanked_secrets_are_said_once(
    program: Program, tmp_path: Path
) -> None:
    path = tmp_path / "conversations.json"
    write_chats(path, 1, "ghp_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5")
    out, err = program.run("ingest", str(path))

    assert "blanked   GitHub token in" in out
    assert "--store-anyway" in err and "ghp_" not in out + err
    assert "blanked" not in program.run("ingest", str(path))[0]


def test_what_the_web_does_not_give_has_its_own_code(
    program: Program, tmp_path: Path
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        closed = f"http://127.0.0.1:{free.getsockname()[1]}/"
    (tmp_path / "a.exe").write_bytes(b"MZ\0")
    out, err = program.run("ingest", closed, code=65)
    assert "private network" in out and "companion.allowHost" in err

    subprocess.run(
        ["git", "config", "companion.allowHost", "127.0.0.1"], check=True
    )
    program.run("ingest", closed, code=69)
    program.run("ingest", closed, str(tmp_path / "a.exe"), code=65)


def test_an_address_among_words_is_text(program: Program) -> None:
    doc = program.doc("see", "https://example.org/a")
    assert doc["counts"]["captured"] == 1
    program.doc("a note on https://example.org/b")
    assert program.doc("--lines", "https://example.org/c")["captures"]


def test_options_of_notes_are_not_dropped_silently(
    program: Program, tmp_path: Path
) -> None:
    (tmp_path / "a.csv").write_text("a,b")
    _, err = program.run("ingest", "--title", "T", str(tmp_path / "a.csv"))
    assert "--title" in err


def test_a_full_disk_ends_the_call_and_the_next_one_goes_on(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "conversations.json"
    write_chats(path, 50)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(durable, "write_all", full)
        error = program.doc(str(path), code=74)["error"]
    assert error["exit_code"] == 74 and error["hint"]
    assert program.doc(str(path))["counts"]["kept"] == 50


def test_a_note_loads_nothing_that_documents_need(program: Program) -> None:
    code = (
        "import sys; from companion.__main__ import main; main(['ingest', 'hello']);"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    loaded = set(done.stderr.split())
    room = "companion.operations.triage."
    assert {name for name in loaded if name.startswith(room)} == {
        room + "arguments",
        room + "capture",
        room + "filter",
    }
    assert loaded & {"numpy", "http.client", "zipfile", "pygit2"} == set()
    assert loaded & {"json", "typing", "contextlib"} == set()


def test_the_program_loads_dates_once_and_in_c() -> None:
    code = (
        "import sys; sys.argv = ['companion', 'serch']; "
        "from companion.__main__ import main; main(); import datetime; "
        "print(datetime.__name__, datetime.date(2026, 11, 27))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    name = "_datetime" if sys.version_info < (3, 12) else "datetime"
    assert done.stdout.split() == [name, "2026-11-27"]
