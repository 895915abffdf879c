"""Whoever reads at a terminal reads the clock of their own zone, with its offset; programs and the
ledger keep UTC.
"""

import json
import re
import subprocess
from pathlib import Path

import pytest

from companion.cli.format import at, local, when
from tests.cli import person

NOW = "2026-11-22T20:45:00Z"  # in India the next day, 02:15
UTC_TIME = re.compile(r"\d:\d\d(:\d\d(\.\d+)?)?Z|20:45|2026-11-22")
# names of runs; and the bytes of a page, which are the same on every machine
NO_TIMES = re.compile(r"2026-11-22-\w+-\w+|\n---\n.*", re.S)
READING = (
    "claims Anna",
    "claims Anna --explain --history",
    "claims Anna --as-of 2026-12-01",
    "ask Where does Anna live?",
    "ask What of the cellar?",
    "show Anna",
    "show Anna --explain",
    "why Anna",
    "why Anna --explain",
    "why {capture}",
    "log",
    "log Anna",
    "list",
    "list --format {{created}}",
    "status --explain",
    "branches",
    "branches --explain",
    "audit",
    "search Anna",
    "search cellar",
    "today",
    "context",
    "feedback",
    "sources",
    "recall Anna",
    "review --list",
    "settle",
    "decay",
    "quarantine",
    "links Anna",
    "doctor",
    "morning",
)


def program(
    *words: str, cwd: Path, **environment: str
) -> subprocess.CompletedProcess[str]:
    zone = {"TZ": "Asia/Kolkata", "COMPANION_NOW": NOW} | environment
    return person.program(*words, cwd=cwd, **zone)


@pytest.fixture(scope="module")
def wiki(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("zone") / "wiki"
    folder.mkdir()
    for words in (
        ["init"],
        ["ingest", "# Anna\n\nAnna lives in Porto."],
        ["ingest", "The door to the cellar is open."],
        ["consolidate"],
        ["ingest", "# Anna\n\nAnna lives in Lisbon."],
        ["consolidate"],
        ["ask", "Where does Anna live?"],
        ["ingest", "A note that waits."],
        ["consolidate"],
    ):
        done = program(*words, cwd=folder)
        assert done.returncode == 0, (words, done.stderr)
    return folder


def test_no_verb_shows_a_person_utc(wiki: Path) -> None:
    first = json.loads(program("list", "--json", cwd=wiki).stdout)
    assert first["items"][0]["changed"].startswith("2026-11-22T20:45")
    anna = json.loads(program("claims", "Anna", "--json", cwd=wiki).stdout)
    capture = anna["keys"][0]["claims"][0]["capture"]
    told, wrong = set(), {}
    for line in READING:
        words = line.format(capture=capture).split(" ")
        done = program(*words, cwd=wiki)
        if done.returncode not in (0, 1):
            wrong[line] = done.stderr
        shown = NO_TIMES.sub("", done.stdout + done.stderr)
        if UTC_TIME.search(shown):
            wrong[line] = shown
        if "2026-11-23 02:15 +05:30" in shown:
            told.add(line.split()[0])
    assert wrong == {}
    assert told >= {"claims", "ask", "show", "why", "log", "list", "status"}


@pytest.mark.parametrize(
    ("zone", "moment", "shown"),
    [
        ("UTC", NOW, "2026-11-22 20:45"),
        ("Asia/Kolkata", NOW, "2026-11-23 02:15 +05:30"),
        ("America/St_Johns", NOW, "2026-11-22 17:15 -03:30"),
        # the offset of the moment, not of now
        ("Europe/Berlin", "2026-07-01T10:00:00Z", "2026-07-01 12:00 +02:00"),
        # a day is that day in every zone
        ("America/New_York", "2026-03-01T00:00:00Z", "2026-03-01"),
        # what a page shows is the clock of its teller
        ("Asia/Kolkata", "2026-11-22 20:45", "2026-11-22 20:45"),
        ("Asia/Kolkata", "never", "never"),
        ("Asia/Kolkata", "eternityZ", "eternityZ"),
        ("Asia/Kolkata", "9999-12-31T23:59:59.999999Z", "9999-12-31 23:59"),
        ("Asia/Kolkata", None, ""),
    ],
)
def test_a_time_is_shown_by_the_clock_of_the_reader(
    monkeypatch: pytest.MonkeyPatch, zone: str, moment: str, shown: str
) -> None:
    import time

    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        assert when(moment) == shown
        assert at(moment).startswith(local(moment))
    finally:
        monkeypatch.undo()
        time.tzset()
