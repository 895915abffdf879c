"""The help of one command comes without Typer, and looks as Typer's does."""

import io
import json
import subprocess
import sys
from contextlib import redirect_stdout

import pytest

from companion.__main__ import main
from companion.cli import commands, typer_app
from companion.cli.calls.help import describe_command
from companion.cli.errors import _CALLED_ELSEWHERE
from companion.cli.output import Ui


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_help_is_what_typer_prints(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    for name, verb in commands.load_all().items():
        printed = io.StringIO()
        with redirect_stdout(printed):
            typer_app.understand(Ui(), [name, "--help"])

        assert f"{describe_command(verb, columns)}\n" == printed.getvalue()


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help_is_whole_lines_or_one_document(
    flag: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ingest", flag]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("Usage: companion ingest [OPTIONS]")
    assert "\n\nOptions:\n  --lines " in printed
    assert main(["ingest", flag, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"help": printed}


def test_help_is_a_word_too(capsys: pytest.CaptureFixture[str]) -> None:
    printed = []
    for words in (["help", "list"], ["list", "--help"], ["help"], ["--help"]):
        assert main(words) == 0
        printed.append(capsys.readouterr().out)

    assert printed[0] == printed[1] != ""
    assert printed[2] == printed[3] == typer_app.describe_commands()


def test_what_other_programs_call_it_is_no_command_of_ours() -> None:
    assert set(_CALLED_ELSEWHERE.values()) <= set(commands.NAMES)
    assert not _CALLED_ELSEWHERE.keys() & set(commands.NAMES)


def test_help_and_version_load_no_typer() -> None:
    code = (
        "import sys; from companion.__main__ import main;"
        " main(['ingest', '--help']);"
        " assert not {'typer', 'inspect', 'sqlite3'} & set(sys.modules);"
        " sys.argv[1:] = ['--version']; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1].startswith("companion 0.")
