"""`python -m tests.bench challengers` and `… minorities`: is a belief that much rests on
contradicted when it is?

The worlds (`challengers.toml`) are made up for this: a page, six who contradict it each in words of
their own, and what must not be taken for that. Of two halves one was worked on; the other was only
ever counted.
"""

import json
import os
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import combinations
from pathlib import Path
from typing import Any

from companion.language.relations.contest import CONTESTED, find_contest
from companion.minority.contested import contests
from companion.values.relations import Statement

WORLDS = Path(__file__).with_name("challengers.toml")
HALVES = ("dev", "score")
KINDS = ("challengers", "rivals", "neutral", "supporting", "other", "update")
START = datetime(2026, 1, 5, 9, tzinfo=UTC)
DEPENDENTS = 8

World = Mapping[str, Any]


def worlds(half: str | None = None) -> list[World]:
    """Return the worlds of one *half*, or all."""
    found = tomllib.loads(WORLDS.read_text(encoding="utf-8"))["world"]
    return [world for world in found if half in (None, world["half"])]


def told(world: World, kind: str) -> list[str]:
    """Return what a world has of one *kind*, as a list."""
    return list(world[kind]) if isinstance(world[kind], list) else [world[kind]]


def page(world: World) -> Statement:
    return Statement(
        "\n".join([world["belief"], *world["rest"]]), world["title"]
    )


def challengers() -> None:
    """Print how many of each kind the lower bar calls a contradiction, and how positions stand to
    each other.
    """
    for half in HALVES:
        found = count_contradictions(half)
        print(
            f"{half:6} contradicts: "
            + ", ".join(
                f"{kind} {hits} of {told}"
                for kind, (hits, told) in found.items()
            )
        )
        print(
            f"{'':6} positions:   "
            + ", ".join(
                f"{name} {n}" for name, n in sorted(positions(half).items())
            )
        )


def count_contradictions(half: str) -> dict[str, tuple[int, int]]:
    """Return of each kind how many notes the lower bar calls a contradiction, and how many there
    are.
    """
    found: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for world in worlds(half):
        for kind in KINDS:
            notes = told(world, kind)
            total[kind] += len(notes)
            found[kind] += sum(
                find_contest(page(world), Statement(note)).strength >= CONTESTED
                for note in notes
            )
    return {kind: (found[kind], total[kind]) for kind in KINDS}


def positions(half: str) -> Counter[str]:
    """Count ties among challengers of one position, and between them and rivals."""
    count: Counter[str] = Counter()
    for world in worlds(half):
        same = {
            f"c{n}": Statement(note)
            for n, note in enumerate(told(world, "challengers"))
        }
        rivals = {
            f"r{n}": Statement(note)
            for n, note in enumerate(told(world, "rivals"))
        }
        found = contests.tie_positions(
            page(world), same | rivals, same, (same | rivals).keys()
        )
        rival = {(tie.one, tie.other) for tie in found if tie.rival}
        alike = {(tie.one, tie.other) for tie in found if not tie.rival}
        for pair in combinations(sorted(same | rivals), 2):
            kind = (
                "of one position"
                if pair[1][0] == "c"
                else "of two"
                if pair[0][0] == "c"
                else "rivals"
            )
            count[f"{kind}: support"] += pair in alike
            count[f"{kind}: rival"] += pair in rival
            count[f"{kind}: pairs"] += 1
    return count


# -- weeks of a life, through the program ----------------------------------------------------------


class Life:
    """One wiki in which eight pages rest on a belief, and a night every week."""

    def __init__(self, root: Path, world: World) -> None:
        self.root, self.now, self.world = root, START, world
        self.run("init", str(root))
        self.ingest(
            " ".join([world["belief"], *world["rest"]]), world["title"], ""
        )
        for n in range(DEPENDENTS):
            text = (
                f"Topic {n} of {world['name']} rests on the [[{world['title']}]] and on nothing"
                " else."
            )
            self.ingest(text, f"{world['name']} topic {n}", "")
        self.night()

    def run(self, *args: str) -> dict[str, Any]:
        env = {
            **os.environ,
            "COMPANION_NOW": self.now.strftime("%Y-%m-%dT%H:%M:%SZ"),
        }
        command = [sys.executable, "-m", "companion", *args, "--json"]
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            env=env,
            cwd=self.root.parent,
        )
        if done.returncode not in (0, 1):
            raise SystemExit(f"{args}: {done.stdout}{done.stderr}")
        return dict(json.loads(done.stdout)) if done.stdout.strip() else {}

    def ingest(self, text: str, title: str, source: str) -> None:
        named = [
            *(("--title", title) if title else ()),
            *(("--source", source) if source else ()),
        ]
        self.run("ingest", text, *named, "-C", str(self.root))

    def night(self) -> list[str]:
        """Run the week's night and return what it did to branches."""
        done = self.run("consolidate", "-C", str(self.root))
        return [each["action"] for each in done["branches"]]

    def weeks(
        self, notes: Sequence[Sequence[tuple[str, str]]]
    ) -> Iterator[list[str]]:
        """Yield what became of branches, week by week; each week has its (text, source) notes."""
        for some in notes:
            self.now += timedelta(days=7)
            for text, source in some:
                self.ingest(text, "", source)
            yield self.night()


def minority(world: World) -> list[list[tuple[str, str]]]:
    """A voice of its own every week, each beside a note that contradicts nothing."""
    voices = told(world, "challengers")
    noise = [*told(world, "neutral"), world["other"]]
    return [
        [(text, f"voice {n}"), (noise[n % len(noise)], "bystander")]
        for n, text in enumerate(voices)
    ]


def others(world: World) -> list[list[tuple[str, str]]]:
    """One source that says it every week, in other words each time, and many others who contradict
    nothing.
    """
    noise = [*told(world, "neutral"), *told(world, "supporting")]
    voices = told(world, "challengers")
    return [
        [(text, "one source"), (noise[n], f"bystander {n}")]
        for n, text in enumerate(voices)
    ]


STREAMS = {"true minority": minority, "one source and noise": others}


def minorities() -> None:
    """Print in which week each stream won in the worlds that rules were not worked on with; a true
    minority must.
    """
    won: Counter[str] = Counter()
    found = worlds("score")
    for world in found:
        said = []
        for name, stream in STREAMS.items():
            with tempfile.TemporaryDirectory(
                prefix="companion-bench-"
            ) as folder:
                courses = list(
                    Life(Path(folder) / "wiki", world).weeks(stream(world))
                )
            cycle = next(
                (
                    n
                    for n, actions in enumerate(courses, 1)
                    if "promote" in actions
                ),
                None,
            )
            won[name] += cycle is not None
            opened = sum("open" in actions for actions in courses)
            said.append(
                f"{name}: "
                + (
                    f"won in week {cycle}"
                    if cycle
                    else f"waits ({opened} opened)"
                )
            )
        print(f"{world['name']:12} " + "; ".join(said), flush=True)
    for name in STREAMS:
        print(f"{name}: {won[name]} of {len(found)} won")
