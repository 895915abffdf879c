"""`companion demo`: three days by hand, then ten weeks of one engineer's notes, lived through in
seconds.

It types commands into a shell and shows what they really print: the program runs as a person would
run it, in a folder and a home of its own, under a moved clock (COMPANION_NOW). Nothing here knows
what the output will be, so the story cannot drift from the program, and the same program tells the
same story every time, commit hashes included.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from companion.errors import CompanionError
from companion.storage.git.command import clean_environment

if TYPE_CHECKING:
    from companion.maintenance.results import (
        DemoResult,
        DemoStep,
    )

Say = Callable[[str], None]

STREAM = os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "ten-weeks.jsonl"
)

# The person of the story. The program is told by ~/.gitconfig, as it would be at home.
_GITCONFIG = "[user]\n\tname = Ines Roth\n\temail = ines@example.org\n"
# sh takes a function for a command, so `companion` below is this very program whatever PATH holds.
_PRELUDE = 'companion() { "$DEMO_PYTHON" -P -m companion "$@"; }\n'
_SECONDS = 120  # one command that takes longer hangs


class FolderInUse(CompanionError):
    """The folder for the demo is not empty."""

    exit_code = 2
    hint = "Name a folder that does not exist yet."


class StoryBroke(CompanionError):
    """A step of the demo did not go as it should."""

    exit_code = 70
    hint = "Please report it, with what it printed."


class Step(NamedTuple):
    """One command of the story."""

    now: str  # the moved clock
    # what a newcomer should look at; "" where the step before has said it
    comment: str
    command: str  # as typed into sh
    code: int = 0  # the exit code it must have


STORY = (
    Step(
        "2026-02-25T09:00",
        "Wednesday morning: a new wiki. It is an ordinary git repository.",
        "companion -q init .",
    ),
    Step(
        "2026-02-25T09:10",
        "Notes go in as they come. What is acknowledged is on disk; nothing is judged yet.",
        'companion ingest --title "Nightly export" "Runs at 02:00 and feeds accounting. Ask'
        ' [[Mara]] first."',
    ),
    Step(
        "2026-02-25T09:15",
        "",
        'companion ingest --title Mara "Leads operations, owns the [[Nightly export]]."',
    ),
    Step(
        "2026-02-25T10:00",
        "",
        'companion ingest --source Mara --title "Staging logs" "Staging keeps 30 days of logs"',
    ),
    Step(
        "2026-02-25T11:30",
        "The same words from a second source: still one note, but two voices.",
        'companion ingest --source runbook --title "Staging logs"'
        ' "Staging keeps 30 days of logs"',
    ),
    Step(
        "2026-02-25T14:00",
        "A secret is refused at the door, with its kind and its place (line:column).",
        'companion ingest "deploy token ghp_16C7e42F292c6912E7710c838347Ae178B4a"',
        65,
    ),
    Step(
        "2026-02-25T15:00",
        "What was just told is found at once, marked pending.",
        "companion search accounting",
    ),
    Step(
        "2026-02-25T23:00",
        "The first night: notes become linked pages, in one commit.",
        "companion consolidate",
    ),
    Step(
        "2026-02-26T09:05",
        "On Thursday it is a page, and `why` knows its story.",
        "companion why 'Nightly export'",
    ),
    Step(
        "2026-02-26T10:00",
        "Pages are yours: edit one in any editor, delete another. `adopt` records it in your name.",
        'echo "My rule: never on the last day of a month."'
        ' >> "entries/2026/02/Nightly export.md"',
    ),
    Step(
        "2026-02-26T10:01",
        "",
        "rm 'entries/2026/02/Staging logs.md'",
    ),
    Step("2026-02-26T10:05", "", "companion adopt"),
    Step(
        "2026-02-27T12:00",
        "Friday brings a correction, true since Tuesday. The second night adds it to the page.",
        'companion ingest --title "Nightly export" --event-time 2026-02-24 "It moved to 04:00,'
        ' says [[Mara]]."',
    ),
    Step("2026-02-27T23:00", "", "companion consolidate"),
    Step(
        "2026-02-28T09:00",
        "Proof from git itself: the night only added lines, and yours stands as you wrote it.",
        "git show --format= -- entries | tail -n 7",
    ),
    Step(
        "2026-02-28T09:01", "", "git log --format='%h by %an: %s' -2 -- entries"
    ),
)

WEEKS = (
    (
        "2026-04-12",  # the last night before these
        (
            Step(
                "2026-04-13T09:00",
                "Six weeks of notes go by, a night each Sunday. One belief is wrong, and many"
                " pages link to it:",
                "companion search -n 1 exactly-once delivery",
            ),
            Step(
                "2026-04-13T09:00",
                "",
                "grep -rl 'Exactly-once delivery\\]' entries | wc -l",
            ),
            Step(
                "2026-04-13T09:01",
                "Jonas, new here, saw otherwise and said so three times; in week six the"
                " queue's metrics joined him.\n"
                "# One voice is one however often it speaks. What they say waits on a branch,"
                " and the page stands.",
                "companion branches",
            ),
        ),
    ),
    (
        "2026-04-19",
        (
            Step(
                "2026-04-20T09:00",
                "Week seven: the manual says it, too. Three voices over four weeks are enough:"
                " the belief falls.",
                "companion branches --explain",
            ),
            Step(
                "2026-04-20T09:01",
                "Git shows how: the branch's four notes, and the one of this week, are a page"
                " of the wiki now.",
                "git log -1 --graph --stat=84 --format='%h"
                " %s%n%(trailers:key=Companion-Promotes,separator=)'"
                " -- .companion/minority 'entries/*/Messages*'",
            ),
            Step(
                "2026-04-20T09:02",
                "The old page is as it was, but decaying. While the shift is young, who finds"
                " one side sees both.",
                "companion search -n 1 exactly-once delivery",
            ),
            Step(
                "2026-04-20T09:03",
                "Why did it fall? Every night that had a part in it, in its words.",
                "companion why 'Exactly-once delivery'",
            ),
        ),
    ),
    (
        "2026-05-10",
        (
            Step(
                "2026-05-11T09:00",
                "Three weeks later. The program does not rewrite what rested on the belief: it"
                " asks you.",
                "companion review",
            ),
        ),
    ),
)

NEXT = (
    'companion init ~/notes && cd ~/notes && companion ingest "a thought"   # a wiki of your own',
    "cd VAULT && companion init                                             # your vault, every"
    " file as it is",
    "companion demo --keep DIR                                              # look around in"
    " this one",
)


def demo(keep: str | None, say: Say) -> "DemoResult":
    """Live through the story, saying each step as it happens; return all of it as one document.

    The wiki lies in a temporary folder, or in *keep*, which must be new or empty (else
    FolderInUse).
    """
    with tempfile.TemporaryDirectory(prefix="companion-demo-") as home:
        real_home = os.path.realpath(home)
        config = os.path.join(home, ".gitconfig")
        with open(config, "w", encoding="utf-8") as file:
            file.write(_GITCONFIG)
        shell = Shell(real_home, _folder(home, keep), keep or "~/notes")
        say(
            f"Ten weeks of one engineer's notes in {shell.shown}, under a moved clock. Nothing"
            " leaves this machine."
        )
        steps = [shell.tell(step, say) for step in STORY]
        notes = 0
        for until, told in WEEKS:
            notes += shell.live(STREAM, until)
            steps += [shell.tell(step, say) for step in told]
    say("\n".join(["", "Try next:", *NEXT]))
    wiki = None
    if keep:
        wiki = shell.folder
    return {
        "wiki": wiki,
        "notes": notes,
        "steps": steps,
        "next": list(NEXT),
    }


class Shell:
    """The story's own terminal: its home, its wiki, its clock."""

    def __init__(self, home: str, folder: str, shown: str) -> None:
        self.folder = folder
        self.shown = shown
        self.lived = ""  # the Sunday of the week told last
        self.environment = _environment(home)

    def tell(self, step: Step, say: Say) -> "DemoStep":
        """Run one step and say it. Raises StoryBroke."""
        output, code = self.run(step.command, step.now)
        if code != step.code:
            raise StoryBroke(
                f"exit code {code} instead of {step.code}: {step.command}\n{output}"
            )
        lines = []
        if step.comment:
            lines += ["", f"# {step.comment}"]
        lines += [f"$ {step.command}", *output.splitlines()]
        if code:
            lines.append(f"[exit {code}]")
        say("\n".join(lines))
        return {
            "now": step.now,
            "comment": step.comment,
            "command": step.command,
            "code": step.code,
            "output": output,
        }

    def live(self, stream: str, until: str) -> int:
        """Tell the wiki a stream of notes on to *until*, a night after each; return how many.

        Raises StoryBroke.
        """
        count = 0
        for sunday, lines in weeks(stream):
            if not self.lived < sunday <= until:
                continue
            for command, text in (
                ("companion ingest --jsonl -", "".join(lines)),
                ("companion consolidate", ""),
            ):
                output, code = self.run(command, f"{sunday}T23:00", text)
                if code:
                    raise StoryBroke(
                        f"exit code {code}: {command}, the week until {sunday}\n{output}"
                    )
            count += len(lines)
        self.lived = until
        return count

    def run(self, command: str, now: str, text: str = "") -> tuple[str, int]:
        """Run *command* at *now*; return what it printed, with our folder under the name it goes
        by, and its code.
        """
        done = subprocess.run(
            ["sh", "-c", _PRELUDE + command],
            cwd=self.folder,
            env={**self.environment, "COMPANION_NOW": now},
            input=text.encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_SECONDS,
            check=False,
        )
        output = done.stdout.decode("utf-8", "replace")
        return output.replace(self.folder, self.shown), done.returncode


def _environment(home: str) -> dict[str, str]:
    """Return the environment of the story's commands: this machine's, without its settings."""
    ours = ("COMPANION_", "GIT_", "XDG_")
    environment = {
        key: value
        for key, value in clean_environment().items()
        if not key.startswith(ours)
    }
    package = os.path.abspath(__file__)
    for _ in range(3):
        package = os.path.dirname(package)
    environment.update(
        HOME=home,
        COLUMNS="100",
        NO_COLOR="1",
        TERM="dumb",
        TZ="UTC",
        PYTHONPATH=package,
        PYTHONIOENCODING="utf-8",
        DEMO_PYTHON=sys.executable,
        GIT_CONFIG_NOSYSTEM="1",
        GIT_PAGER="cat",
    )
    return environment


def weeks(stream: str) -> Iterator[tuple[str, list[str]]]:
    """Yield (its Sunday, its lines) for each week of a JSONL stream in order of time."""
    with open(stream, encoding="utf-8") as file:
        yield from _by_week(file)


def _by_week(lines: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    import json
    from datetime import date, timedelta

    week: list[str] = []
    sunday = ""
    for line in lines:
        day = date.fromisoformat(json.loads(line)["event_time"][:10])
        ends = str(day + timedelta(days=6 - day.weekday()))
        if week and ends != sunday:
            yield sunday, week
            week = []
        week.append(line)
        sunday = ends
    if week:
        yield sunday, week


def _folder(home: str, keep: str | None) -> str:
    folder = os.path.join(home, "notes")
    if keep:
        folder = os.path.expanduser(keep)
    folder = os.path.realpath(folder)
    try:
        os.makedirs(folder, exist_ok=True)
    except FileExistsError as error:
        raise FolderInUse(f"not a folder: {keep}") from error
    if os.listdir(folder):
        raise FolderInUse(f"not empty: {keep}")
    return folder
