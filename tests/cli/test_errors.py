"""Whatever goes wrong has a message, a hint and an exit code, and with --json it is one
document.
"""

import json
import os
import sqlite3
import subprocess
import sys
from typing import Any

import pytest

from companion.__main__ import main
from companion.cli.commands import status
from companion.cli.errors import BAD_DATA, NOTHING_FOUND
from companion.cli.json_schema import ERROR_SHAPE
from companion.errors import BadInput, CompanionError
from tests.cli.shapes import mismatch


def raising(error: BaseException) -> Any:
    def run(ui: Any, explain: bool, agent: str | None) -> int:
        raise error

    return run


def broken_database() -> sqlite3.Error:
    try:
        sqlite3.connect(":memory:").execute("select * from missing")
    except sqlite3.Error as error:
        return error
    raise AssertionError


def locked_database(path: Any) -> sqlite3.Error:
    first, second = (
        sqlite3.connect(path, timeout=0, isolation_level=None) for _ in range(2)
    )
    first.execute("begin exclusive")
    try:
        second.execute("begin immediate")
    except sqlite3.Error as error:
        return error
    raise AssertionError


@pytest.mark.parametrize(
    ("error", "code", "kind", "message"),
    [
        (BadInput("too odd", hint="Even it out."), 65, "bad-input", "too odd"),
        (KeyboardInterrupt(), 130, "interrupted", "interrupted"),
        (
            PermissionError(13, "Permission denied", "/x/y"),
            74,
            "input-output",
            "Permission denied: /x/y",
        ),
        (
            OSError(28, "No space left on device"),
            74,
            "input-output",
            "No space left on device",
        ),
        (MemoryError(), 75, "try-later", "out of memory"),
        (
            broken_database(),
            74,
            "database-trouble",
            "database: no such table: missing",
        ),
        (ZeroDivisionError("odd"), 70, "unexpected", "ZeroDivisionError: odd"),
        (RecursionError("deep"), 70, "unexpected", "RecursionError: deep"),
    ],
)
@pytest.mark.parametrize("as_json", [False, True])
def test_every_error_is_told_once(
    error: BaseException,
    code: int,
    kind: str,
    message: str,
    as_json: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(status, "run", raising(error))

    assert main(["status", *(["--json"] if as_json else [])]) == code

    said = capsys.readouterr()
    if as_json:
        doc = json.loads(said.out)
        assert mismatch(ERROR_SHAPE, doc) is None
        assert (
            doc["error"]["kind"],
            doc["error"]["exit_code"],
            doc["error"]["message"],
        ) == (
            kind,
            code,
            message,
        )
        assert said.err == ""
    else:
        assert said.out == ""
        assert said.err.startswith(f"error: {message}\n")
        assert "Traceback" not in said.err


def test_a_locked_database_says_try_later(
    tmp_path: Any,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(
        status, "run", raising(locked_database(tmp_path / "x.db"))
    )

    assert main(["status"]) == 75
    assert "another process" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "meant"),
    [
        (["list", "--state", "activ"], "'active'"),
        (["list", "--state=decayin"], "'decaying'"),
        (["export", "--graph", "grapml"], "'graphml'"),
        (["review", "acept", "x"], "'accept'"),
        (["remote", "synch"], "'sync'"),
        (["schedule", "instal"], "'install'"),
        (["agent", "instal", "codex"], "'install', 'uninstall'"),
        (["agent", "install", "claud-code"], "'claude-code'"),
        (["fleet", "nigth"], "'night'"),
    ],
)
def test_a_mistyped_value_or_action_gets_a_suggestion(
    argv: list[str], meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(argv) == 2
    hint = f"hint: Did you mean {meant}? See `companion {argv[0]} --help`."
    assert hint in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["serch"], "no such command 'serch'. Did you mean 'search'?"),
        (["note", "x"], "no such command 'note'. Did you mean 'add'?"),
        (["help", "serch"], "no such command 'serch'. Did you mean 'search'?"),
        (
            ["list", "--state", "gone"],
            "invalid value for '--state': 'gone' is not one of 'pending',"
            " 'active', 'decaying', 'archived'",
        ),
        (["search"], "missing argument 'QUERY'"),
        (["search", "x", "--nope"], "no such option: --nope"),
        (["search", "x", "-C"], "option '-C' requires an argument"),
        (["triage", "file.txt"], "triage reads standard input only"),
        (
            ["ingest", "x", "--redact", "--store-anyway"],
            "--redact and --store-anyway exclude each other",
        ),
    ],
)
def test_usage_errors_are_exit_code_2(
    argv: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(argv) == 2
    assert message in capsys.readouterr().err

    assert main(["--json", *argv]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["exit_code"] == 2


def test_text_in_an_error_cannot_drive_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        status,
        "run",
        raising(BadInput("\x1b]52;c;AAAA\x07 [bold]\u202ex\ud800")),
    )

    main(["status"])

    assert capsys.readouterr().err == "error: ]52;c;AAAA [bold]x\ufffd\n"


def test_version_and_help_need_no_wiki(
    capsys: pytest.CaptureFixture[str],
) -> None:
    from companion import __version__

    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"companion {__version__}\n"
    assert main(["--version", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"version": __version__}
    assert main([]) == 0
    assert "consolidate" in capsys.readouterr().out
    assert main(["search", "--help", "--json"]) == 0
    assert "--limit" in json.loads(capsys.readouterr().out)["help"]
    assert main(["--json"]) == 2


def test_every_kind_of_error_has_a_documented_exit_code() -> None:
    from companion.cli.typer_app import EXIT_CODES

    def below(kind: type[CompanionError]) -> set[type[CompanionError]]:
        return {kind}.union(*(below(child) for child in kind.__subclasses__()))

    assert {
        kind.exit_code
        for kind in below(CompanionError)
        if kind.__module__.startswith("companion")
    } <= {*EXIT_CODES}


def test_a_reader_that_leaves_early_is_no_error() -> None:
    done = subprocess.run(
        [
            "bash",
            "-c",
            f'"{sys.executable}" -m companion --help | head -n 1 >/dev/null; echo'
            f" ${{PIPESTATUS[0]}}",
        ],
        capture_output=True,
        text=True,
    )

    assert done.stderr == ""
    # 0 where the pipe took everything before head left
    assert done.stdout.strip() in ("0", "141")


@pytest.mark.parametrize(("target", "code"), [(">/dev/full", 74), (">&-", 74)])
def test_output_that_cannot_be_written_is_an_error(
    target: str, code: int
) -> None:
    if target == ">/dev/full" and not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full here")
    done = subprocess.run(
        ["bash", "-c", f'"{sys.executable}" -m companion --version {target}'],
        capture_output=True,
        text=True,
    )

    assert done.returncode == code
    assert done.stderr.startswith("error: ")


def test_exit_codes_of_verbs_are_documented() -> None:
    from companion.cli.typer_app import EXIT_CODES

    assert {NOTHING_FOUND, BAD_DATA} <= {*EXIT_CODES}


def test_an_unknown_command_is_told_without_typer() -> None:
    code = (
        "import sys; from companion.__main__ import main; main(['serch', 'x']);"
        "print('typer' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"
    assert "Did you mean 'search'?" in done.stderr
