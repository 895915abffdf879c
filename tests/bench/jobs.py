"""`python -m tests.bench jobs`: ten jobs of every day in commands and keystrokes, beside three other
programs, and what each costs cold.

Keystrokes are the characters of the line with Enter. Ours are run, each in a process of its own, on
a wiki of some days. Of the others those on PATH are run, too, on the same notes as files of Markdown
and in a home of their own; the rest are counted by their documentation (`jobs.toml`).
"""

import json
import os
import resource
import shlex
import shutil
import subprocess
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from companion.assistants.context import BUDGET, collect_context
from companion.assistants.server import describe_tool
from companion.assistants.tools import INSTRUCTIONS, TOOLS
from companion.language.tokens import count_tokens
from tests.wiki import Wiki

JOBS = Path(__file__).with_name("jobs.toml")
OTHERS = ("zk", "nb", "basic-memory")
_PEOPLE = ("Lena", "Jonas", "Priya", "Tomasz")
_DAYS = 12

Run = Callable[[Sequence[str], Path], tuple[float, int]]


class Costs(NamedTuple):
    """CPU seconds of each job of ours, and the tokens that an assistant pays."""

    seconds: dict[str, float]
    tokens: dict[str, int]


def jobs(work: Path, repeat: int, run: Run) -> Costs:
    """Print every job, and return what ours cost, the least of *repeat*."""
    wiki = _live(work / "wiki")
    backup = str(work / "backup.git")
    subprocess.run(["git", "init", "-q", "--bare", backup], check=True)
    run(["remote", "add", "origin", backup, "-C", str(wiki.root)], work)
    told = tomllib.loads(JOBS.read_text(encoding="utf-8"))
    listed = told["job"]
    print("keystrokes, Enter included; CPU s of ours, cold, the least")
    print(
        f"  {'':18}{'ours':>6}{'CPU s':>8}"
        + "".join(f"{name:>14}" for name in OTHERS)
    )
    costs: dict[str, float] = {}
    for job in listed:
        words = shlex.split(job["ours"])[1:]
        least = min(_measure(wiki, words, run) for _ in range(repeat))
        costs[job["name"]] = least
        others = "".join(f"{count_strokes(job[name]):>14}" for name in OTHERS)
        print(
            f"  {job['name']:18}{count_strokes(job['ours']):>6}{least:>8.3f}{others}",
            flush=True,
        )
    for name in OTHERS:
        _run_other(work / name, name, told[name], listed, repeat)
    return Costs(costs, _count_tokens(wiki))


def _run_other(
    work: Path,
    name: str,
    program: Mapping[str, str],
    listed: Sequence[Mapping[str, str]],
    repeat: int,
) -> None:
    """Print what each job costs with another program, or that it is not here."""
    if shutil.which(program["program"]) is None:
        print(f"{name}: not run, `{program['program']}` is not on PATH")
        return
    folder, home = work / "notes", work / "home"
    home.mkdir(parents=True)
    _write_files(folder)
    _spend(program["begin"], folder, home)
    print(f"{name}: CPU s of each line, cold, the least of {repeat}")
    for job in listed:
        line = job[name]
        if line:
            lines = [line.replace("{n}", str(n)) for n in range(repeat)]
            least = f"{min(_spend(one, folder, home) for one in lines):.3f}"
        else:
            least = "-"
        print(f"  {job['name']:18}{least:>8}  {line}", flush=True)


def _write_files(folder: Path) -> None:
    """Write the notes of the wiki as files of Markdown."""
    (folder / "people").mkdir(parents=True)
    first, *others = _list_notes()
    (folder / "people" / "lena.md").write_text(first)
    for number, note in enumerate(others):
        (folder / f"note-{number:02}.md").write_text(f"{note}\n")


def _spend(line: str, folder: Path, home: Path) -> float:
    """Run a line of a shell, and return its CPU seconds. Raises CalledProcessError."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],
        cwd=folder,
        env=os.environ | {"HOME": str(home)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def count_strokes(line: str) -> str:
    """Return the keystrokes of a line, Enter included; "-" for none."""
    return str(len(line.replace("{n}", "1")) + 1) if line else "-"


def _measure(wiki: Wiki, words: Sequence[str], run: Run) -> float:
    if words[0] == "undo":
        run(["add", "-C", str(wiki.root), "To be taken back"], wiki.root)
        run(["consolidate", "-C", str(wiki.root)], wiki.root)
        words = ["undo", "--yes"]
    return run([*words, "-C", str(wiki.root)], wiki.root)[0]


def _live(root: Path) -> Wiki:
    """Live some days of notes in a new wiki."""
    wiki = Wiki.new(root)
    # yesterday is told by the real clock
    wiki.now = datetime.now(UTC) - timedelta(days=_DAYS, hours=1)
    notes = _list_notes()
    wiki.ingest(next(notes))
    for _ in range(_DAYS):
        for _ in _PEOPLE:
            wiki.ingest(next(notes))
        wiki.consolidate()
        wiki.tick(days=1)
    return wiki


def _list_notes() -> Iterator[str]:
    """Yield the note on Lena, and one for each person and day."""
    yield "# Lena\n\nLena lives in Oslo. Lena likes oolong tea."
    for day in range(_DAYS):
        for name in _PEOPLE:
            yield f"{name} and [[Lena]] met on day {day}. Tea {day}."


def _count_tokens(wiki: Wiki) -> dict[str, int]:
    """Print and return what an assistant pays: for the tools, and for the start of a session."""
    schemas = [
        describe_tool(tool).model_dump(exclude_none=True) for tool in TOOLS
    ]
    context = collect_context(
        wiki.ws, None, as_of=None, known_at=None, budget=BUDGET
    )
    tokens = {
        f"{len(TOOLS)} tools": count_tokens(_write([INSTRUCTIONS, *schemas])),
        "the start of a session": count_tokens(_write(context)),
    }
    print(f"tokens: {tokens}")
    return tokens


def _write(document: object) -> str:
    """Return a document as an assistant is given it."""
    return json.dumps(document, ensure_ascii=False)
