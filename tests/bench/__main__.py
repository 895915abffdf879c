"""`python -m tests.bench [WHAT]`: measure, print ratios, judge nothing.

Everything runs in a temporary folder on notes made here from a fixed seed. CPU seconds are user +
system of whole processes, as the operating system accounts for them; ratios pair a command with its
floor in the same run, the repetitions interleaved, and the median is printed. Nothing is cached
between repetitions.
"""

import argparse
import os
import random
import resource
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.bench.aboutness import aboutness
from tests.bench.agents import agents
from tests.bench.asking import ask
from tests.bench.assistant import assistant
from tests.bench.audit import run as audit
from tests.bench.beginnings import beginnings
from tests.bench.blind_titles import blind_titles
from tests.bench.challengers import challengers, minorities
from tests.bench.completing import completing
from tests.bench.costs import costs
from tests.bench.crowded import crowded
from tests.bench.depth import depth
from tests.bench.everyday import everyday
from tests.bench.evidence import evidence
from tests.bench.extraction import extraction
from tests.bench.federation import federation
from tests.bench.field.run import field
from tests.bench.fleet import fleet
from tests.bench.gathering import gathering
from tests.bench.gravity import bench as gravity
from tests.bench.index_size import index
from tests.bench.jobs import jobs
from tests.bench.languages import languages
from tests.bench.latency import latency
from tests.bench.ledger import ledger
from tests.bench.nights import nights
from tests.bench.notebook.courses import courses
from tests.bench.notebook.run import notebook
from tests.bench.old_wiki import old_wiki
from tests.bench.poisoning import poisoning
from tests.bench.pressure import run as pressure
from tests.bench.readers import readers
from tests.bench.reasoning import reasoning
from tests.bench.repeating import repeating
from tests.bench.retrieval.run import retrieval
from tests.bench.serial_facts.run import serial_facts
from tests.bench.sleeping import sleeping
from tests.bench.staleness import staleness
from tests.bench.stance.ceiling import ceiling
from tests.bench.stance.doubts import doubts
from tests.bench.stance.lives import lives
from tests.bench.stance.run import NAMES, TOGETHER, stance
from tests.bench.streams import streams
from tests.bench.suspensions import run as suspensions
from tests.bench.titles import titles
from tests.bench.together import together
from tests.bench.tokens import tokens
from tests.bench.told_titles import told_titles
from tests.bench.undoing import undoing
from tests.bench.uses import recording
from tests.bench.vault_notes import vault_notes
from tests.bench.vectors import vectors
from tests.bench.vitality import bench as vitality
from tests.bench.waiting import waiting
from tests.bench.web import web
from tests.bench.years import ledger_bytes

# distinct words of the made-up language; their frequencies follow a power law
WORDS = 20_000
NOTE_WORDS = (40, 500)  # shortest and longest note
LINKS = 3
OWN = (
    "first-night",
    "latency",
    "durability",
    "fleet",
    "gathering",
    "old-wiki",
    "undo",
    "years",
    "nights",
    "crowded",
    "agents",
    "waiting",
    "web",
    "jobs",
    "assistant",
    "completing",
    "costs",
    "together",
    "vectors",
    "stance",
    "doubts",
    "lives",
    "gravity",
    "use",
    "vitality",
    "notebook",
    "serial-facts",
    "languages",
    "beginnings",
    "told-titles",
)
#: with arguments of their own
APART = ("field",)
ALONE: dict[str, Callable[[], None]] = {
    "aboutness": aboutness,
    "audit": audit,
    "ceiling": ceiling,
    "federation": federation,
    "index": index,
    "poisoning": poisoning,
    "pressure": pressure,
    "repeating": repeating,
    "readers": readers,
    "challengers": challengers,
    "minorities": minorities,
    "streams": streams,
    "suspensions": suspensions,
    "everyday": everyday,
    "sleeping": sleeping,
    "staleness": staleness,
}
ON_DATA: dict[str, Callable[..., object]] = {
    "ask": ask,
    "blind-titles": blind_titles,
    "depth": depth,
    "evidence": evidence,
    "extraction": extraction,
    "ledger": ledger,
    "reasoning": reasoning,
    "retrieval": retrieval,
    "titles": titles,
    "tokens": tokens,
    "vaults": vault_notes,
}


def main(argv: Sequence[str] | None = None) -> int:
    given = sys.argv[1:] if argv is None else list(argv)
    if given[:1] == list(APART):
        return field(given[1:])
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench", description=__doc__
    )
    parser.add_argument(
        "what",
        nargs="?",
        default="all",
        choices=[*OWN, *ALONE, *ON_DATA, "all"],
    )
    parser.add_argument(
        "--data",
        type=Path,
        help="the folder of the sets that judges are measured on",
    )
    parser.add_argument(
        "--only", help="ledger: one section; retrieval: one set"
    )
    parser.add_argument(
        "--half",
        default="dev",
        choices=("dev", "score"),
        help="aboutness, beginnings, depth, doubts, languages, lives, notebook, retrieval, stance, titles, told-titles: the half",
    )
    parser.add_argument(
        "--sample",
        type=int,
        choices=(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
        default=1,
        help="aboutness, beginnings: which sample of notes",
    )
    parser.add_argument(
        "--seed",
        type=int,
        help="blind-titles, gathering, titles: another life, other titles than the usual",
    )
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument(
        "--keep",
        type=Path,
        help="waiting: build the wiki in this folder once, and measure on copies; gathering: a life"
        " that was ended goes on here",
    )
    parser.add_argument(
        "--runs", type=int, default=200, help="undo: how many to take back"
    )
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument(
        "--days", type=int, default=1825, help="years: how long a life"
    )
    parser.add_argument(
        "--per-day", type=int, default=20, help="years: captures a day"
    )
    parser.add_argument(
        "--every", type=int, default=1, help="years: a night every so many days"
    )
    parser.add_argument(
        "--train",
        action="store_true",
        help="stance: write the head anew; doubts: the weights",
    )
    parser.add_argument(
        "--left-out",
        action="store_true",
        help="lives: judge each developed world by weights that never saw it",
    )
    parser.add_argument(
        "--answered",
        action="store_true",
        help="lives: one who knows answers the doubts that a night asks about",
    )
    parser.add_argument(
        "--vectors",
        default="static",
        choices=(*NAMES, TOGETHER),
        help="stance: the head's",
    )
    options = parser.parse_args(argv)
    if options.what == "stance":
        stance(options.vectors, options.half, train=options.train)
        return 0
    if options.what == "notebook":
        notebook(options.half)
        courses(options.half)
        return 0
    if options.what == "serial-facts":
        serial_facts(options.notes)
        return 0
    if options.what == "doubts":
        doubts(options.half, train=options.train)
        return 0
    if options.what == "lives":
        lives(
            options.half,
            left_out=options.left_out,
            answered=options.answered,
        )
        return 0
    if options.what == "aboutness":
        aboutness(options.half, options.data, options.sample)
        return 0
    if options.what == "beginnings":
        beginnings(options.half, options.sample)
        return 0
    if options.what == "told-titles":
        told_titles(options.half)
        return 0
    if options.what == "languages":
        languages(options.half)
        return 0
    if options.what in ON_DATA:
        if options.data is None:
            parser.error(f"{options.what} needs --data DIR")
        if options.what == "ledger":
            ledger(options.data, options.only)
        elif options.what == "retrieval":
            retrieval(options.data, options.half, options.only)
        elif options.what == "depth":
            depth(options.data, options.half)
        elif options.what == "blind-titles":
            if options.keep is None:
                parser.error("blind-titles needs --keep FOLDER")
            blind_titles(options.data, options.keep, options.seed)
        elif options.what == "titles":
            titles(options.data, options.half, options.seed)
        else:
            ON_DATA[options.what](options.data)
        return 0
    if options.what in ALONE:
        ALONE[options.what]()
        if options.what != "audit":
            return 0
        print("\n(d) what a night costs")  # the last of what `audit` publishes
    if options.what == "gravity":
        gravity(options.repeat)
        return 0
    if options.what == "vitality":
        vitality(options.repeat)
        return 0
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
        work = Path(folder)
        if options.what == "years":
            years(work, options.days, options.per_day, options.every)
            return 0
        if options.what == "gathering":
            gathering(work, options.days, options.keep, seed=options.seed)
            return 0
        if options.what == "old-wiki":
            old_wiki(work, options.notes)
            return 0
        if options.what == "fleet":
            return min(1, fleet(work, options.only, min(64, options.notes)))
        if options.what == "undo":
            return min(1, undoing(work, options.runs).violations)
        if options.what in ("nights", "audit"):
            nights(work, options.notes, run, floor)
            return 0
        if options.what == "crowded":
            crowded(work, options.notes, run)
            return 0
        if options.what == "agents":
            agents(work, environment(), options.repeat)
            return 0
        if options.what == "jobs":
            jobs(work, options.repeat, run)
            return 0
        if options.what == "assistant":
            assistant(work)
            return 0
        if options.what == "completing":
            completing(work, options.notes, options.repeat)
            return 0
        if options.what == "web":
            web(work, options.notes)
            return 0
        if options.what == "together":
            together(work, options.notes)
            return 0
        if options.what == "vectors":
            vectors(work, options.repeat, environment())
            return 0
        if options.what == "costs":
            costs(work, options.notes, cpu_now)
            return 0
        if options.what == "waiting":
            waiting(work, options.notes, environment(), options.keep)
            return 0
        if options.what == "durability":
            durability(work, max(5, options.repeat * 5))
            return 0
        notes = make_notes(work / "notes", options.notes)
        size = sum(len(text) for _, text in notes)
        print(
            f"{options.notes:,} notes, {size / 1e6:.1f} MB, python {sys.version.split()[0]},"
            f" {os.cpu_count()} cores"
        )
        if options.what in ("first-night", "all"):
            first_night(work, notes, size, options.repeat)
        if options.what in ("use", "all"):
            recording(work, max(15, options.repeat * 5), child)
        if options.what in ("latency", "all"):
            rounds = max(5, options.repeat * 5)
            for some in (notes[:1000], notes):
                latency(work, some, rounds, environment())
        if options.what == "all":
            durability(work, max(5, options.repeat * 5))
            agents(work, environment(), options.repeat)
            years(work, options.days, options.per_day, options.every)
            gravity(options.repeat)
    return 0


# -- the first night -------------------------------------------------------------------------------


class Night(NamedTuple):
    """What one step of a first night costs."""

    seconds: float  # of the processor
    ratio: float  # to the least that could be done
    peak: float  # memory, in MB


def first_night(
    work: Path, notes: list[tuple[str, bytes]], size: int, repeat: int
) -> dict[str, Night]:
    """Index and commit N notes: against a raw FTS5 build plus `git fast-import` of the same
    bytes.
    """
    rows: dict[str, list[float]] = {}
    peaks: dict[str, int] = {}
    for turn in range(repeat):
        room = work / f"turn{turn}"
        rows.setdefault("floor", []).append(floor(room / "floor", notes))
        vault, wiki = room / "vault", room / "wiki"
        shutil.copytree(work / "notes", vault)
        run(["init", str(wiki)], room)
        for name, args in (
            ("init of a vault in place", ["init", str(vault)]),
            ("adopt again, nothing changed", ["adopt", "-C", str(vault)]),
            (
                "ingest a folder",
                ["ingest", str(work / "notes"), "-C", str(wiki)],
            ),
            ("consolidate it", ["consolidate", "-C", str(wiki)]),
            (
                "consolidate again, nothing new",
                ["consolidate", "-C", str(wiki)],
            ),
            ("rebuild the index", ["rebuild", "-C", str(wiki)]),
        ):
            cpu, peak = run(args, room)
            rows.setdefault(name, []).append(cpu)
            peaks[name] = max(peak, peaks.get(name, 0))
        shutil.rmtree(room)
    base = statistics.median(rows["floor"])
    print(f"\nfloor (FTS5 build + git fast-import): {base:.2f} CPU s = 1.00")
    allowed = 2.5 * size + 60e6
    nights = {"floor": Night(base, 1.0, 0.0)}
    for name, values in rows.items():
        if name != "floor":
            ratio = statistics.median(
                v / f for v, f in zip(values, rows["floor"], strict=True)
            )
            seconds = statistics.median(values)
            nights[name] = Night(seconds, ratio, peaks[name] / 1e6)
            memory = (
                f"{peaks[name] / 1e6:5.0f} MB ({peaks[name] / allowed:.2f} of 2.5 x corpus + 60"
                " MB)"
            )
            print(
                f"{name:32} {seconds:6.2f} CPU s  {ratio:5.2f} x floor   peak"
                f" {memory}"
            )
    return nights


def floor(room: Path, notes: list[tuple[str, bytes]]) -> float:
    """Return the CPU seconds of the least that could be done: one FTS5 table, one fast-import."""
    room.mkdir(parents=True)
    before = cpu_now()
    db = sqlite3.connect(room / "fts.db")
    db.execute("CREATE VIRTUAL TABLE notes USING fts5(title, body)")
    db.executemany(
        "INSERT INTO notes VALUES (?, ?)",
        ((name, text.decode()) for name, text in notes),
    )
    db.commit()
    db.close()
    subprocess.run(["git", "init", "--quiet", str(room)], check=True)
    importer = subprocess.Popen(
        ["git", "-C", str(room), "fast-import", "--quiet"],
        stdin=subprocess.PIPE,
    )
    assert importer.stdin is not None
    for chunk in _fast_import(notes):
        importer.stdin.write(chunk)
    importer.stdin.close()
    if importer.wait() != 0:
        raise SystemExit("git fast-import failed")
    return cpu_now() - before


def _fast_import(notes: list[tuple[str, bytes]]) -> Iterator[bytes]:
    for mark, (_, text) in enumerate(notes, 1):
        yield b"blob\nmark :%d\ndata %d\n%b\n" % (mark, len(text), text)
    yield b"commit refs/heads/main\ncommitter Bench <bench@localhost> 0 +0000\ndata 5\nnotes"
    for mark, (name, _) in enumerate(notes, 1):
        yield b"\nM 100644 :%d %b" % (mark, name.encode())
    yield b"\n"


# -- durability ------------------------------------------------------------------------------------


def durability(work: Path, repeat: int) -> None:
    """One capture and one night, as they are and without ever waiting for the disk; CPU time does
    not show it.
    """
    bare = [sys.executable, "-m", "tests.bench.bare"]
    rooms = {
        "as it is": [*bare, "durable"],
        "without durability": [*bare, "hasty"],
    }
    for room in rooms:
        run(["init", str(work / room)], work)
    rows: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for turn in range(repeat):
        for what, args in (
            ("a capture", ["ingest", f"# Thing {turn}\n\nis by the door"]),
            ("a night of one capture", ["consolidate"]),
        ):
            for room, program in rooms.items():
                began = time.monotonic()
                cpu, _ = child(
                    [*program, "--quiet", *args, "-C", str(work / room)], work
                )
                rows.setdefault((what, room), []).append(
                    (time.monotonic() - began, cpu)
                )
    print(
        f"\nmedian of {repeat} interleaved cold processes on the file system of {work}"
    )
    for (what, room), values in rows.items():
        wall, cpu = (
            statistics.median(column) * 1e3
            for column in zip(*values, strict=True)
        )
        ratio = statistics.median(
            a / b
            for (a, _), (b, _) in zip(
                values, rows[what, "without durability"], strict=True
            )
        )
        print(
            f"{what:24} {room:20} {wall:7.1f} ms wall  {cpu:6.1f} CPU ms  {ratio:5.2f} x without"
        )


# -- years -----------------------------------------------------------------------------------------


def years(work: Path, days: int, per_day: int, every: int) -> None:
    """Live *days* days, then measure what the record costs: bytes a capture, a fold of one night, a
    rebuild.
    """
    wiki, captures = work / "years", days * per_day
    grown, _ = child(
        [
            sys.executable,
            "-m",
            "tests.bench.years",
            str(wiki),
            str(days),
            str(per_day),
            str(every),
        ],
        work,
    )
    size, files = ledger_bytes(wiki)
    print(
        f"\n{days:,} days of {per_day:,} captures, {files:,} runs, in {grown:.0f} CPU s"
    )
    print(f"ledger: {size / 1e6:.1f} MB, {size / captures:.0f} bytes a capture")
    rebuilt, peak = run(["rebuild", "-C", str(wiki)], work)
    git = ["git", "-C", str(wiki)]
    tip = subprocess.run(
        [*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True
    ).stdout.strip()
    subprocess.run([*git, "update-ref", "HEAD", "HEAD~1"], check=True)
    run(["rebuild", "-C", str(wiki)], work)
    subprocess.run([*git, "update-ref", "HEAD", tip], check=True)
    folded, _ = run(["status", "-C", str(wiki)], work)
    idle = statistics.median(
        run(["status", "-C", str(wiki)], work)[0] for _ in range(5)
    )
    unit = statistics.median(
        child([sys.executable, "-c", "pass"], work)[0] for _ in range(5)
    )
    print(
        f"rebuild: {rebuilt:.2f} CPU s ({rebuilt / unit:,.0f} x python -c pass), peak"
        f" {peak / 1e6:.0f} MB"
    )
    print(
        f"fold of the last night: {folded - idle:.2f} CPU s more than `status` with nothing to"
        f" fold ({idle:.2f})"
    )


# -- running ---------------------------------------------------------------------------------------

PROGRAM = [sys.executable, "-m", "companion"]


def run(args: Sequence[str], room: Path) -> tuple[float, int]:
    """Run companion; return its CPU seconds and peak memory in bytes."""
    room.mkdir(parents=True, exist_ok=True)
    return child([*PROGRAM, "--quiet", *args], room)


def child(command: Sequence[str], room: Path) -> tuple[float, int]:
    # A child of its own waits for the command, so that the peak is this command's and nobody
    # else's.
    pid = os.fork()
    if pid == 0:
        os.chdir(room)
        with open(os.devnull, "wb") as null:
            os.dup2(null.fileno(), 1)
        os.execvpe(command[0], list(command), environment())
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        raise SystemExit(
            f"failed with {os.waitstatus_to_exitcode(status)}: {' '.join(command)}"
        )
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * (
        1 if sys.platform == "darwin" else 1024
    )


def environment() -> dict[str, str]:
    unwanted = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "COMPANION_")
    env = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(unwanted)
    }
    names = {
        f"GIT_{role}_{what}": "bench@localhost"
        for role in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    return env | names | {"PYTHONPATH": os.pathsep.join(sys.path)}


def cpu_now() -> float:
    return sum(
        usage.ru_utime + usage.ru_stime
        for usage in (
            resource.getrusage(resource.RUSAGE_SELF),
            resource.getrusage(resource.RUSAGE_CHILDREN),
        )
    )


def make_notes(folder: Path, count: int) -> list[tuple[str, bytes]]:
    """Write *count* linked notes; return their (name, bytes)."""
    chance = random.Random(20261121)
    words = [f"w{n:05d}" for n in range(WORDS)]
    notes = []
    for n in range(count):
        length = chance.randint(*NOTE_WORDS)
        picked = (
            words[min(int(chance.paretovariate(0.7)), WORDS - 1)]
            for _ in range(length)
        )
        links = " ".join(
            f"[[note {chance.randrange(count)}]]" for _ in range(LINKS)
        )
        name, text = (
            f"{n % 20:02d}/note {n}.md",
            f"# note {n}\n\n{' '.join(picked)}\n\n{links}\n".encode(),
        )
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
        notes.append((name, text))
    return notes


if __name__ == "__main__":
    raise SystemExit(main())
