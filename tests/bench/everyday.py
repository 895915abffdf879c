"""`python -m tests.bench everyday`: plain statements of everyday life, a change to each, and what
`ask` makes of it.

The worlds (`everyday.toml`) are made up for this: a page of a few facts, a note that shares words
with it and changes nothing, and a change as people type it. Each is lived twice, with the change
and without. Of two halves, drawn by a hash of the name, one was worked on; of the other only totals
were looked at.
"""

import contextlib
import hashlib
import io
import json
import os
import re
import sqlite3
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from companion.__main__ import main as companion

WORLDS = Path(__file__).with_name("everyday.toml")
HALVES = ("dev", "held-out")
TOLD, CHANGED, ASKED = "2026-04-15", "2026-12-02", "2027-01-20"
AT_ONCE = 2
#: how the change ended up: on the page that it changes, held against it, on a page of its own
PLACES = ("page", "held", "alone")

World = Mapping[str, Any]


class Answer(NamedTuple):
    """What `ask` gave to one question."""

    # "change": the new value; "before": the old one, without the change; "still": what has not
    # changed
    about: str
    question: str
    given: str
    right: bool


class Course(NamedTuple):
    """What became of one world."""

    answers: tuple[Answer, ...]
    place: str
    # the change is a claim that stands beside the old one under one key
    claimed: bool


def half(world: World) -> str:
    """Return the half of *world*: drawn, so that nobody chose."""
    return HALVES[hashlib.sha256(world["name"].encode()).digest()[0] % 2]


def worlds(wanted: str) -> list[World]:
    """Return the worlds of one half."""
    found = tomllib.loads(WORLDS.read_text(encoding="utf-8"))["world"]
    return [world for world in found if half(world) == wanted]


def live(world: World, root: Path) -> Course:
    """Live one world in new wikis under *root*, without its change and with it."""
    plain = _wiki(world, root / "plain", changed=False)
    _, new, old = world["ask"]
    changed = _wiki(world, root / "changed", changed=True)
    asked = world["ask"][0]
    answers = [
        _answer("before", asked, plain, old, (new, world["trap"])),
        _answer("change", asked, changed, new, (old, world["trap"])),
        *(
            _answer("still", question, changed, value, ())
            for question, value in world["still"]
        ),
    ]
    return Course(
        tuple(answers),
        *_placed(changed / ".git" / "companion" / "index.db", world["change"]),
    )


def _wiki(world: World, root: Path, *, changed: bool) -> Path:
    root.parent.mkdir(parents=True, exist_ok=True)
    _run("2026-04-15T08:00:00Z", "init", str(root))
    told = [
        (TOLD, world["facts"], world["title"]),
        ("2026-11-20", world["near"], ""),
    ]
    told += [(CHANGED, world["change"], "")] if changed else []
    for day, text, title in told:
        named = ["--title", title] if title else []
        _run(f"{day}T09:00:00Z", "ingest", text, *named, "-C", str(root))
        _run(f"{day}T22:00:00Z", "consolidate", "-C", str(root))
    return root


def _run(at: str, *args: str) -> dict[str, Any]:
    out = io.StringIO()
    with (
        mock.patch.dict(os.environ, COMPANION_NOW=at),
        contextlib.redirect_stdout(out),
    ):
        code = companion([*args, "--json"])
    if code not in (0, 1):
        raise RuntimeError(f"{args}: {out.getvalue()}")
    return dict(json.loads(out.getvalue()))


def _answer(
    about: str, question: str, root: Path, wanted: str, wrong: Sequence[str]
) -> Answer:
    done = _run(f"{ASKED}T09:00:00Z", "ask", question, "-C", str(root))
    given = " / ".join(each["value"] for each in done["answers"])
    return Answer(
        about,
        question,
        given,
        _says(given, wanted) and not any(_says(given, each) for each in wrong),
    )


def _says(given: str, wanted: str) -> bool:
    """Tell whether *given* has one of *wanted* ("a|b") as words: 5 is not in 15, a form of
    "Dienstag" may go on.
    """
    for each in wanted.split("|"):
        end = r"(?!\w|[.,]\d)" if each[-1].isdigit() else ""
        if re.search(
            rf"(?<!\w)(?<!\d[.,]){re.escape(each.casefold())}{end}",
            given.casefold(),
        ):
            return True
    return False


def _placed(index: Path, change: str) -> tuple[str, bool]:
    with contextlib.closing(sqlite3.connect(index)) as db:
        page, capture, entry = _notes(db)
        others = {
            other for (other,) in db.execute("SELECT incumbent FROM branches")
        }
        others |= {
            other
            for (other,) in db.execute(
                "SELECT coalesce(other, '') FROM flags WHERE capture = ?",
                (capture,),
            )
        }
        told = "SELECT subject_key, predicate_key FROM claims WHERE {} = ?"
        keys = set(db.execute(told.format("capture"), (capture,)))
        resolved = (
            "SELECT 1 FROM resolutions r JOIN claims c ON c.id = r.claim WHERE c.entry = ? AND"
            " c.capture <> ?"
        )
        against = db.execute(resolved, (page, capture)).fetchone() is not None
        claimed = (
            bool(
                keys
                & set(
                    db.execute(
                        told.format("entry") + " AND capture <> ?",
                        (page, capture),
                    )
                )
            )
            or against
        )
    if entry == page:
        return "page", claimed
    return ("held" if page in others or against else "alone"), claimed


def _notes(db: sqlite3.Connection) -> tuple[str, str, str]:
    """Return the page told first, and the last note with where it went: the notes of a world come
    one by one.
    """
    rows = db.execute(
        "SELECT c.capture, coalesce(c.entry, '') FROM consumed c JOIN runs r ON r.run = c.run"
        " ORDER BY r.time"
    ).fetchall()
    waiting = [
        (capture, "")
        for (capture,) in db.execute("SELECT capture FROM waiting")
    ]
    return (rows[0][1], *[*rows, *waiting][-1])


def everyday(halves: Sequence[str] = HALVES, only: str = "") -> None:
    """Print what became of each world of the half that is worked on, and totals of both."""
    for wanted in halves:
        right, asked, given, places, claimed = (
            Counter[str](),
            Counter[str](),
            0,
            Counter[str](),
            0,
        )
        for world, course in _courses(
            [world for world in worlds(wanted) if only in world["name"]]
        ):
            places[course.place] += 1
            claimed += course.claimed
            for answer in course.answers:
                asked[answer.about] += 1
                right[answer.about] += answer.right
                given += bool(answer.given)
            if wanted == "dev":
                _tell(world, course)
        wrong = given - sum(right.values())
        told = ", ".join(
            f"{about} {right[about]} of {asked[about]}"
            for about in ("change", "before", "still")
        )
        where = ", ".join(f"{place} {places[place]}" for place in PLACES)
        print(
            f"{wanted:8} {told}; {wrong} of {given} wrong; the change: {where}; {claimed} claimed",
            flush=True,
        )


def _tell(world: World, course: Course) -> None:
    print(
        f"  {world['name']} ({world['lang']}):"
        f" {course.place}{', claimed' if course.claimed else ''}"
    )
    for answer in course.answers:
        verdict = (
            "ok   " if answer.right else "WRONG" if answer.given else "none "
        )
        print(
            f"    {verdict} {answer.about:7} {answer.question}  [{answer.given}]"
        )


def _courses(found: Sequence[World]) -> Iterator[tuple[World, Course]]:
    with (
        tempfile.TemporaryDirectory(prefix="companion-bench-") as folder,
        ProcessPoolExecutor(AT_ONCE) as pool,
    ):
        lives = [
            pool.submit(live, world, Path(folder) / world["name"])
            for world in found
        ]
        for world, done in zip(found, lives, strict=True):
            yield world, done.result()
