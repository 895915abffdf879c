"""The examples work: imported, parsed, and run as they stand."""

import json
import plistlib
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.docs.schedules import make_examples

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with a wiki in ~/notes and the program in ~/.local/bin, as the examples expect."""
    program = tmp_path / ".local" / "bin" / "companion"
    program.parent.mkdir(parents=True)
    program.write_text(
        f'#!/bin/sh\nexec "{sys.executable}" -m companion "$@"\n'
    )
    program.chmod(0o755)
    sh(tmp_path, '"$HOME/.local/bin/companion" init "$HOME/notes"')
    return tmp_path


def sh(home: Path, command: str) -> str:
    environment = {
        "HOME": str(home),
        "PATH": "/usr/bin:/bin",
        "LC_ALL": "C.UTF-8",
        "PYTHONPATH": str(EXAMPLES.parent),
    }
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=home,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return done.stdout


def companion(home: Path, *words: str) -> Any:
    line = " ".join(f"'{word}'" for word in words)
    return json.loads(
        sh(home, f'"$HOME/.local/bin/companion" -C "$HOME/notes" --json {line}')
    )


@pytest.mark.parametrize(
    ("name", "told", "captures"),
    [("notes.jsonl", 12, 11), ("ten-weeks.jsonl", 127, 125)],
)
def test_a_stream_of_notes_becomes_a_wiki(
    home: Path, name: str, told: int, captures: int
) -> None:
    taken = companion(home, "ingest", "--jsonl", str(EXAMPLES / name))
    assert taken["counts"] == {
        "captured": captures,
        "seen": told - captures,
        "kept": 0,
        "known": 0,
        "passed_over": 0,
        "refused": 0,
    }

    night = companion(home, "consolidate")
    assert len(night["integrated"]) == captures and night["waiting"] == []
    assert companion(home, "consolidate")["run"] is None
    # The same file again tells nothing new.
    assert (
        companion(home, "ingest", "--jsonl", str(EXAMPLES / name))["counts"][
            "captured"
        ]
        == 0
    )
    assert companion(home, "consolidate")["run"] is None
    assert companion(home, "doctor")["ok"]


def test_a_note_of_the_stream_is_found_with_its_links(home: Path) -> None:
    companion(home, "ingest", "--jsonl", str(EXAMPLES / "notes.jsonl"))
    companion(home, "consolidate")

    assert (
        companion(home, "search", "restic cellar")["results"][0]["title"]
        == "Backups"
    )
    server = companion(home, "show", "Home server")
    assert {link["title"] for link in server["links"]["out"]} == {
        "Photos",
        "Backups",
    }
    assert server["text"].index("ThinkPad") < server["text"].index("hallway")


def test_the_schedules_are_what_the_program_writes() -> None:
    for name, text in make_examples().items():
        assert (EXAMPLES / name).read_text() == text, (
            f"{name}: run `python -m tests.docs.schedules`"
        )


def wake(home: Path, words: list[str]) -> None:
    """Run what a schedule runs, over a note that waits for days: it becomes a page."""
    sh(
        home,
        'COMPANION_NOW=2026-01-05T08:00:00Z "$HOME/.local/bin/companion" -C "$HOME/notes" ingest "a thought"',
    )
    (home / "notes" / "mine.md").write_text("# Mine\n")
    here = [word.replace("/home/ada", str(home)) for word in words]
    good = '{"load": 0.1, "on_mains": true, "free": 100000000000}'
    told = sh(home, f"COMPANION_BODY={shlex.quote(good)} {shlex.join(here)}")

    assert told == "", "a wake is silent when all is well"
    assert companion(home, "status")["pending"] == 0
    done = {run["operation"] for run in companion(home, "log")["runs"]}
    assert done >= {"adopt", "consolidate", "init"}


def test_the_line_of_cron_wakes_it(home: Path) -> None:
    line = (EXAMPLES / "companion.cron").read_text().splitlines()[1]
    fields = line.split(maxsplit=5)

    assert fields[:5] == ["*/20", "*", "*", "*", "*"]
    assert "%" not in line  # cron would read it as a line break
    wake(home, shlex.split(fields[5]))


def test_the_launchd_agent_wakes_it(home: Path) -> None:
    agent = plistlib.loads((EXAMPLES / "companion.plist").read_bytes())

    assert agent["StartInterval"] == 1200
    wake(home, agent["ProgramArguments"])


def test_the_systemd_service_wakes_it(home: Path) -> None:
    lines = (EXAMPLES / "companion.service").read_text().splitlines()
    (command,) = [line for line in lines if line.startswith("ExecStart=")]
    wake(home, shlex.split(command.removeprefix("ExecStart=")))
