"""The examples work: imported, parsed, and run as they stand."""

import json
import plistlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

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


def night_of(home: Path, command: str) -> None:
    """Run a scheduled command over a pending note and a hand-made page."""
    companion(home, "ingest", "a thought before sleep")
    (home / "notes" / "mine.md").write_text("# Mine\n")
    sh(home, command)

    assert companion(home, "status")["pending"] == 0
    assert [run["operation"] for run in companion(home, "log")["runs"]] == [
        "consolidate",
        "adopt",
        "init",
    ]


def test_the_cron_line_is_a_night(home: Path) -> None:
    lines = [
        line
        for line in (EXAMPLES / "nightly.cron").read_text().splitlines()
        if not line.startswith("#")
    ]

    assert [line.split()[:5] for line in lines] == [["30", "3", "*", "*", "*"]]
    assert "%" not in lines[0]  # cron would read it as a line break
    night_of(home, lines[0].split(maxsplit=5)[5])


def test_the_launchd_job_is_a_night(home: Path) -> None:
    job = plistlib.loads((EXAMPLES / "companion.plist").read_bytes())

    assert job["StartCalendarInterval"] == {"Hour": 3, "Minute": 30}
    assert job["ProgramArguments"][:2] == ["/bin/sh", "-c"]
    night_of(home, job["ProgramArguments"][2])
