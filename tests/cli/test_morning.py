"""`companion` alone: the morning inside a wiki, the help elsewhere."""

import json
from pathlib import Path

import pytest

from companion.cli.commands.morning import text
from companion.cli.format import describe_night, local
from tests import warm
from tests.cli.on_a_terminal import on_a_terminal
from tests.cli.person import program

# two calls may not fall into two minutes of the real clock
MORNING = "2026-11-22T08:00:00Z"


@pytest.fixture(scope="module")
def wiki(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("morning") / "wiki"
    folder.mkdir()
    for words in (
        ["init"],
        ["ingest", "# Door\n\nThe door to the cellar is open."],
        ["consolidate"],
        ["ingest", "# Door\n\nThe door to the cellar is not open."],
        ["consolidate"],
        ["ingest", "A note that waits."],
    ):
        done = program(*words, cwd=folder, COMPANION_NOW="2026-11-22T03:45:00Z")
        assert done.returncode == 0, done.stderr
    return folder


def test_companion_alone_tells_the_morning_in_ten_lines(wiki: Path) -> None:
    done = program(cwd=wiki, COMPANION_NOW=MORNING)

    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    assert len(lines) <= 10
    assert "1 note, for the next night" in done.stdout
    assert "1 question (`companion review`)" in done.stdout
    assert "everything, because there is no git remote" in done.stdout
    assert (
        done.stdout
        == program("morning", cwd=wiki, COMPANION_NOW=MORNING).stdout
    )


def test_the_wiki_may_be_named_from_elsewhere(
    wiki: Path, tmp_path: Path
) -> None:
    clock = {"COMPANION_NOW": MORNING}
    named = program("-C", str(wiki), cwd=tmp_path, **clock)
    by_environment = program(cwd=tmp_path, COMPANION_WIKI=str(wiki), **clock)

    here = program(cwd=wiki, **clock)
    assert named.stdout == by_environment.stdout == here.stdout


def test_outside_a_wiki_it_is_the_help_with_a_hint(tmp_path: Path) -> None:
    alone = program(cwd=tmp_path)

    assert alone.returncode == 0
    assert alone.stdout == program("--help", cwd=tmp_path).stdout
    assert alone.stderr.startswith("hint: This folder is in no wiki.")
    missing = program("-C", str(tmp_path), cwd=tmp_path)
    assert (missing.returncode, missing.stdout) == (10, "")


def test_json_is_one_document_in_utc(wiki: Path) -> None:
    alone = program("--json", cwd=wiki, TZ="Asia/Kolkata")
    doc = json.loads(alone.stdout)

    assert doc["last_night"]["ended"].startswith("2026-11-22T03:45")
    assert doc["waiting"]["captures"] == 1


def test_a_person_reads_the_time_of_their_own_zone(wiki: Path) -> None:
    for words in ([], ["status"], ["log"]):
        told = program(*words, cwd=wiki, TZ="Asia/Kolkata").stdout

        assert "09:15" in told, words
        assert "03:45" not in told


def test_completion_is_not_taken_for_a_morning(wiki: Path) -> None:
    done = program(
        cwd=wiki,
        _COMPANION_COMPLETE="complete_bash",
        COMP_WORDS="companion mor",
        COMP_CWORD="1",
    )

    assert done.stdout.split() == ["morning"]


def test_ten_lines_hold_also_when_everything_is_to_be_told() -> None:
    doc = {
        "wiki": "/home/ada/notes",
        "now": "2026-11-23T06:12:00Z",
        "entries": 3,
        "last_night": {
            "outcome": "failed",
            "started": "2026-11-22T03:45:00Z",
            "ended": "2026-11-22T03:52:00Z",
            "why": "The disk is full.",
            "runs": [],
            "did": "Took in 12 notes.",
        },
        "waiting": {
            "captures": 9,
            "held_back": 2,
            "sources": {"pending": 1, "unread": 2, "locked": 3},
        },
        "left_for_you": {
            "questions": 2,
            "to_settle": 1,
            "to_audit": 4,
            "runs_that_left": 1,
        },
        "waits": "You used it 2 minutes ago.",
        "missed": [
            {"first": "2026-11-17", "last": "2026-11-18", "why": "Battery."},
            {"first": "2026-11-20", "last": "2026-11-20", "why": "The disk."},
        ],
        "only_here": {
            "captures_not_in_git": 3,
            "captures_on_no_remote": 9,
            "originals_on_no_remote": 0,
            "commits_on_no_remote": 2,
            "refs": ["refs/companion/buffer"],
        },
        "notes": ["One.", "Two.", "Three."],
        "next": [
            {"command": "companion review", "why": "answers 2 questions"},
            {"command": "companion settle", "why": "acts on 1 audit"},
        ],
    }

    lines = list(text(doc))

    assert len(lines) == 10
    assert (
        "7 notes and 1 source, for the next night; 2 notes held back"
        in lines[2]
    )
    assert "Sunday, 22 November, " in lines[1]
    assert "It failed: The disk is full." in lines[1]
    assert "Friday, 20 November: The disk." in lines[4]


@pytest.mark.parametrize(
    ("now", "words"),
    [
        ("2026-10-07T09:00", "08:00: Took"),
        ("2026-10-09T09:00", "Wednesday, 7 October, 08:00: Took"),
        ("2026-10-20T09:00", "Wednesday, 7 October, 1 week ago, 08:00: Took"),
        ("2027-04-12T09:00", "Wednesday, 7 October, 6 months ago, 08:00: Took"),
        (
            "2029-01-12T09:00",
            "Wednesday, 7 October 2026, 2 years ago, 08:00: Took",
        ),
    ],
)
def test_a_night_long_ago_says_how_long(now: str, words: str) -> None:
    moment = local("2026-10-07T08:00:00Z")
    night = {
        "started": moment,
        "ended": moment,
        "why": "",
        "did": "Took it in.",
    }
    at = f"2026-10-07T{moment[11:16]}"
    said = describe_night(night, now)
    assert said.startswith(words.replace("08:00", at[11:])), said
    # `status` names the day always, and where it is not told the time, no age
    dated = describe_night(night, now, dated=True)
    assert dated.startswith("Wednesday, 7 October")
    assert describe_night(night, "").startswith("Wednesday, 7 October, ")


def test_it_fits_a_terminal(wiki: Path) -> None:
    command = [str(warm.INSTALLED), "-C", str(wiki)]
    written = on_a_terminal(command, columns=60, NO_COLOR="1")

    assert max(map(len, written.replace("\r", "").splitlines())) <= 60
