"""`python -m tests.bench waiting`: does a capture or a search wait for a long night? (SCH-1, GEN-1)

A person at a living program captures and searches at a steady pace, in a process of its own, and
now and then by a command from the shell. A long night of CONSOLIDATE runs on a wiki of N entries;
each call is made on that wiki and, right before or after, on a copy of it that has no night. So both
see the same processor, disk and neighbours, and the ratio is what the night itself costs. Before it,
the same calls are made while another process computes as busily and there is no night anywhere: that
second ratio also holds what the night does to the disk and the caches, and what the neighbours did
between the two. Reported are wall milliseconds, p50 and p99, both ratios, and what the night did
when a call on its wiki took longest.
"""

import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.bench.nights import make_vault

PACE = 0.03  # seconds between the rounds of the person, each of one search and CAPTURES captures
CAPTURES = 4  # p99 of a few calls is the slowest one
COLD = 6  # of so many rounds, one is a command from the shell
CALM = 45.0  # seconds without a night
MOST = 3_000  # notes of the night: it must last some minutes, not hours
WORST = 5
_READY = ".git/ready"
KINDS = ("capture", "search", "capture, cold", "search, cold")

_PERSON = """
import json, random, subprocess, sys, time
from companion.lookup.search import search_wiki
from companion.operations.triage import capture
from companion.storage.git import layout
from companion.values.captures import Draft
from companion.workspace import Workspace
seconds, pace, cold = float(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
label, captures, roots = sys.argv[4], int(sys.argv[5]), sys.argv[6:]
random.seed(label)
wikis = [(name, root, Workspace(layout.find_place(root))) for name, root in enumerate(roots)]
end = time.monotonic() + seconds
n = 0
def took(name, call):
    start = time.monotonic()
    call()
    print(json.dumps([name, start, time.monotonic() - start]), flush=True)
def shell(root, *words):
    program = [sys.executable, "-m", "companion", "-C", root]
    subprocess.run([*program, *words], check=False, capture_output=True)
def each(name, call):
    # by lot: whoever writes first pays the disk for both
    random.shuffle(wikis)
    for number, root, ws in wikis:
        took(f"{name} {number}", lambda: call(root, ws))
while time.monotonic() < end:
    n += 1
    each("search", lambda root, ws: search_wiki(ws, f"w{n % 50:05d} note {n % 900}"))
    for turn in range(captures):
        draft = Draft(f"a thought {label} {n} {turn}")
        each("capture", lambda root, ws: capture.ingest(ws, [draft]))
    if n % cold == 0:
        each("search, cold", lambda root, ws: shell(root, "search", f"note {n % 900}"))
        each("capture, cold", lambda root, ws: shell(root, "ingest", f"a cold thought {label} {n}"))
    time.sleep(pace)
"""
_NIGHT = """
import json, sys, time
from companion.operations.consolidate.run import consolidate
from companion.storage.git import layout
from companion.workspace import Workspace
class Told:
    def begin(self, step, total=None):
        print(json.dumps([step, time.monotonic()]), flush=True)
    def __call__(self, done):
        pass
told = Told()
told.begin("starting")
done = consolidate(Workspace(layout.find_place(sys.argv[1])), progress=told)
told.begin("done")
print(json.dumps(["integrated", len(done["integrated"])]), flush=True)
"""
_BUSY = "n = 0\nwhile True:\n    n += 1"

# (what, when it began, seconds that it took)
Call = tuple[str, float, float]


def waiting(
    work: Path,
    entries: int,
    environment: dict[str, str],
    keep: Path | None = None,
) -> None:
    """Measure, and print the ratios.

    The wiki of *entries* entries, with the notes of a night, is built once in the folder *keep*
    where that is given; a later call copies it.
    """
    built = work / "built" if keep is None else keep
    if not (built / _READY).exists():
        _build(built, entries, environment)
    wiki = work / "waiting"
    _copy(built, wiki)
    # not after it: a search looks through what is pending, and then nothing is
    copy = work / "copy"
    _copy(built, copy)
    calm = _calm(copy, environment)
    calls, steps, integrated = _night(wiki, copy, environment)
    spent = steps[-1][1] - steps[0][1]
    found = len(list(wiki.rglob("note *.md")))
    print(
        f"\n{found:,} entries, a night of {integrated:,} notes in {spent:.0f} s wall,"
        f" load {os.getloadavg()[1]:.1f}; wall ms"
    )
    print("a copy without a night at the same time → the wiki of the night")
    for name in KINDS:
        _print_row(name, _times(calls, f"{name} 1"), _times(calls, f"{name} 0"))
    print(
        "before, beside a process that computes as busily → the wiki of the night"
    )
    for name in KINDS:
        _print_row(name, _times(calm, f"{name} 0"), _times(calls, f"{name} 0"))
    print("\nwhat took longest in the night")
    own = [call for call in calls if call[0].endswith("0")]
    longest = sorted(own, key=lambda call: -call[2])[:WORST]
    for name, start, seconds in longest:
        print(f"  {seconds * 1e3:7.1f} ms  {name:14}  {_step_at(steps, start)}")


def _build(wiki: Path, entries: int, environment: dict[str, str]) -> None:
    """Make the wiki, and tell how long each part takes."""
    shutil.rmtree(wiki, ignore_errors=True)
    begun = time.monotonic()
    make_vault(wiki, entries)
    notes = _notes(min(MOST, max(400, entries // 5)), entries)
    program = [sys.executable, "-m", "companion", "-C", str(wiki)]
    parts = (
        (["--quiet", "init", str(wiki)], ""),
        (["consolidate"], ""),
        (["ingest", "--lines", "-"], "\n".join(notes)),
    )
    for words, given in parts:
        subprocess.run(
            [*program, *words],
            input=given,
            text=True,
            check=True,
            env=environment,
            stdout=subprocess.DEVNULL,
        )
        print(f"{words[0]}: {time.monotonic() - begun:.0f} s since the start")
    (wiki / _READY).touch()


def _copy(built: Path, wiki: Path) -> None:
    shutil.copytree(built, wiki, symlinks=True)
    (wiki / _READY).unlink()


def _notes(count: int, entries: int) -> list[str]:
    chance = random.Random(7)
    return [
        f"note {chance.randrange(entries)} says that w{chance.randrange(400):05d} is"
        f" w{chance.randrange(400):05d}, told {n}."
        for n in range(count)
    ]


def _calm(wiki: Path, environment: dict[str, str]) -> list[Call]:
    """Return the calls of a person beside a process that computes."""
    busy = subprocess.Popen([sys.executable, "-c", _BUSY], env=environment)
    try:
        return _live(wiki, environment, CALM, "calm")
    finally:
        busy.kill()
        busy.wait()


def _live(
    wiki: Path, environment: dict[str, str], seconds: float, name: str
) -> list[Call]:
    arguments = [
        *map(str, (seconds, PACE, COLD, name, CAPTURES)),
        str(wiki),
    ]
    done = subprocess.run(
        [sys.executable, "-c", _PERSON, *arguments],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    return _parse_calls(done.stdout)


def _parse_calls(written: str) -> list[Call]:
    return [tuple(json.loads(line)) for line in written.splitlines()]


def _night(
    wiki: Path, copy: Path, environment: dict[str, str]
) -> tuple[list[Call], list[tuple[str, float]], int]:
    """Return the calls of a person beside a night, the steps of the night, and its notes."""
    roots = [str(wiki), str(copy)]
    arguments = [*map(str, (100_000, PACE, COLD, "night", CAPTURES)), *roots]
    person = subprocess.Popen(
        [sys.executable, "-c", _PERSON, *arguments],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    )
    time.sleep(1)
    night = subprocess.run(
        [sys.executable, "-c", _NIGHT, str(wiki)],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    person.terminate()
    written, _ = person.communicate()
    if night.returncode != 0:
        raise SystemExit(night.stderr)
    *steps, (_, integrated) = map(json.loads, night.stdout.splitlines())
    begun, ended = steps[0][1], steps[-1][1]
    whole = written[: written.rindex("\n")]
    calls = [call for call in _parse_calls(whole) if begun <= call[1] <= ended]
    return calls, [tuple(step) for step in steps], integrated


def _times(calls: Sequence[Call], name: str) -> list[float]:
    return sorted(seconds * 1e3 for what, _, seconds in calls if what == name)


def _print_row(name: str, calm: list[float], night: list[float]) -> None:
    figures = []
    for percent in (50, 99):
        base, here = _percentile(calm, percent), _percentile(night, percent)
        figures.append(
            f"p{percent} {base:7.1f} → {here:7.1f} ({here / base:4.2f} x)"
        )
    print(
        f"  {name:14} {'   '.join(figures)}   {len(calm)} and {len(night)} calls"
    )


def _percentile(values: list[float], percent: int) -> float:
    return values[min(len(values) - 1, len(values) * percent // 100)]


def _step_at(steps: Sequence[tuple[str, float]], moment: float) -> str:
    return [step for step, begun in steps if begun <= moment][-1]
