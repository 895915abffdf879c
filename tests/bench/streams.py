"""`python -m tests.bench streams`: weeks of a stranger's life, told to the program; who wins, and
in which cycle.

The worlds (`streams.toml`) are made up for this: each is a page on which eight others rest, and six
streams against it. A true minority must win; one voice that repeats itself, a clique of bots, one
strong note and talk that contradicts nothing must not; a change that is stated with its time must
be so at once and open no branch. Every week has notes off the topic, a `consolidate` and a `decay`.
Of two halves one was worked on; of the other only totals were looked at.
"""

import contextlib
import io
import json
import os
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from companion.__main__ import main as companion

WORLDS = Path(__file__).with_name("streams.toml")
HALVES = ("dev", "score")
STREAMS = ("minority", "voice", "bots", "strong", "update", "stand")
START = datetime(2026, 4, 27, 9, tzinfo=UTC)
WEEKS = 8
BOTS = 8
AT_ONCE = 2

World = Mapping[str, Any]


class Note(NamedTuple):
    """One note as it is typed."""

    text: str
    source: str
    title: str = ""


class Course(NamedTuple):
    """What became of a stream."""

    won: int | None  # the cycle with input in which a branch won
    opened: int  # branches
    decisions: tuple[str, ...]  # "3 grow", in the order of the weeks
    right: bool
    answer: str  # to the question of an update


def worlds(half: str | None = None) -> list[World]:
    """Return the worlds of one *half*, or all."""
    found = tomllib.loads(WORLDS.read_text(encoding="utf-8"))["world"]
    return [world for world in found if half in (None, world["half"])]


def weeks(world: World, stream: str) -> dict[int, list[Note]]:
    """Return the notes of every week, those off the topic among them."""
    told: dict[int, list[Note]] = {n: [] for n in range(1, WEEKS + 1)}
    if stream == "bots":
        told[2] += [
            Note(f"{world['bots']} #{n}", f"bot {n}") for n in range(BOTS)
        ]
    elif stream == "update":
        told[world["update"]["w"]].append(
            Note(world["update"]["say"], world["update"]["by"])
        )
    else:
        for each in world[stream]:
            told[each["w"]].append(Note(each["say"], each["by"]))
    for n, text in enumerate(world["noise"], 1):
        told[n].append(Note(text, ""))
    return told


def foundation(world: World) -> list[Note]:
    """Return the page that is believed, and what rests on it."""
    first = Note(
        " ".join([world["belief"], *world["rest"]]), "", world["title"]
    )
    return [
        first,
        *(
            Note(text, "", title)
            for title, text in (
                each.split("|", 1) for each in world["dependents"]
            )
        ),
    ]


class Life:
    """One wiki, through the program's own door: a process for each command would cost five times as
    much.
    """

    def __init__(self, root: Path) -> None:
        self.root, self.now = root, START
        root.parent.mkdir(parents=True, exist_ok=True)
        self.run("init", str(root))

    def run(self, *args: str) -> dict[str, Any]:
        out = io.StringIO()
        at = self.now.strftime("%Y-%m-%dT%H:%M:%SZ")
        with (
            mock.patch.dict(os.environ, COMPANION_NOW=at),
            contextlib.redirect_stdout(out),
        ):
            code = companion([*args, "--json"])
        if code not in (0, 1):
            raise RuntimeError(f"{args}: {out.getvalue()}")
        return dict(json.loads(out.getvalue()))

    def week(self, notes: Sequence[Note]) -> dict[str, Any]:
        """Tell *notes* a minute apart, then DECAY and CONSOLIDATE; return what the night did."""
        for note in notes:
            named = [
                *(("--title", note.title) if note.title else ()),
                *(("--source", note.source) if note.source else ()),
            ]
            self.run("ingest", note.text, *named, "-C", str(self.root))
            self.now += timedelta(minutes=1)
        done = self.run("consolidate", "-C", str(self.root))
        self.run("decay", "-C", str(self.root))
        self.now += timedelta(days=7) - timedelta(minutes=len(notes))
        return done


def live(world: World, stream: str, root: Path) -> Course:
    """Live the weeks of one stream in a new wiki under *root*."""
    life = Life(root)
    life.week(foundation(world))
    won, cycle, opened, said = None, 0, 0, []
    for week, notes in weeks(world, stream).items():
        done = life.week(notes)
        cycle += bool(notes)
        actions = [
            each["action"]
            for each in done["branches"]
            if each["action"] != "hold"
        ]
        said += [f"{week} {action}" for action in actions]
        opened += actions.count("open")
        won = cycle if won is None and "promote" in actions else won
    answer = _answer(life, world) if stream == "update" else ""
    return Course(
        won,
        opened,
        tuple(said),
        _right(world, stream, won, opened, answer),
        answer,
    )


def _answer(life: Life, world: World) -> str:
    done = life.run("ask", world["update"]["ask"], "-C", str(life.root))
    return " / ".join(each["value"] for each in done["answers"])


def _right(
    world: World, stream: str, won: int | None, opened: int, answer: str
) -> bool:
    if stream == "minority":
        return won is not None
    if stream == "update":
        return (
            not opened
            and world["update"]["answer"].casefold() in answer.casefold()
        )
    if stream == "strong":
        return won is None and opened == 1
    return won is None


def streams(halves: Sequence[str] = HALVES, only: str = "") -> None:
    """Print what became of each stream of the half that is worked on, and totals of both."""
    for half in halves:
        right: Counter[str] = Counter()
        cycles, opened, total = [], 0, len(worlds(half))
        for name, stream, course in _courses(worlds(half), only):
            right[stream] += course.right
            if stream == "minority":
                opened += course.opened
                cycles += [course.won] if course.won else []
            if half == "dev":
                answer = f"  [{course.answer}]" if course.answer else ""
                verdict = "ok   " if course.right else "WRONG"
                print(
                    f"  {name:12} {stream:9} {verdict} {', '.join(course.decisions)}{answer}"
                )
        told = ", ".join(
            f"{stream} {right[stream]} of {total}"
            for stream in STREAMS
            if only in stream
        )
        print(
            f"{half:6} {told}; minorities won in cycles {sorted(cycles)}, {opened} branches",
            flush=True,
        )


def _courses(
    found: Sequence[World], only: str
) -> Iterator[tuple[str, str, Course]]:
    pairs = [
        (world, stream)
        for world in found
        for stream in STREAMS
        if only in stream
    ]
    with (
        tempfile.TemporaryDirectory(prefix="companion-bench-") as folder,
        ProcessPoolExecutor(AT_ONCE) as pool,
    ):
        rooms = [
            Path(folder) / f"{world['name']}-{stream}"
            for world, stream in pairs
        ]
        lives = [
            pool.submit(live, *pair, room / "wiki")
            for pair, room in zip(pairs, rooms, strict=True)
        ]
        for (world, stream), done in zip(pairs, lives, strict=True):
            yield world["name"], stream, done.result()
