"""`python -m tests.bench jobs`: ten jobs of every day in commands and keystrokes, beside three other
programs, and what each of ours costs cold.

Keystrokes are the characters of the line with Enter. Ours are run, each in a process of its own, on
a wiki of some days; the others are counted by their documentation (`jobs.toml`).
"""

import json
import shlex
import subprocess
import tomllib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from companion.assistants.context import BUDGET, collect_context
from companion.assistants.context import count_tokens as count
from companion.assistants.server import describe_tool
from companion.assistants.tools import INSTRUCTIONS, TOOLS
from tests.wiki import Wiki

JOBS = Path(__file__).with_name("jobs.toml")
OTHERS = ("zk", "nb", "basic-memory")
_PEOPLE = ("Lena", "Jonas", "Priya", "Tomasz")
_DAYS = 12

Run = Callable[[Sequence[str], Path], tuple[float, int]]


def jobs(work: Path, repeat: int, run: Run) -> dict[str, float]:
    """Print every job, and return the CPU seconds of ours, the least of *repeat*."""
    wiki = _live(work / "wiki")
    backup = str(work / "backup.git")
    subprocess.run(["git", "init", "-q", "--bare", backup], check=True)
    run(["remote", "add", "origin", backup, "-C", str(wiki.root)], work)
    listed = tomllib.loads(JOBS.read_text(encoding="utf-8"))["job"]
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
        others = "".join(f"{_strokes(job[name]):>14}" for name in OTHERS)
        print(
            f"  {job['name']:18}{_strokes(job['ours']):>6}{least:>8.3f}{others}",
            flush=True,
        )
    _tell_tokens(wiki)
    return costs


def _strokes(line: str) -> str:
    return str(len(line) + 1) if line else "-"


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
    wiki.ingest("# Lena\n\nLena lives in Oslo. Lena likes oolong tea.")
    for day in range(_DAYS):
        for name in _PEOPLE:
            wiki.ingest(f"{name} and [[Lena]] met on day {day}. Tea {day}.")
        wiki.consolidate()
        wiki.tick(days=1)
    return wiki


def _tell_tokens(wiki: Wiki) -> None:
    """Print what an assistant pays: for the tools, and for the start of a session."""
    schemas = [
        describe_tool(tool).model_dump(exclude_none=True) for tool in TOOLS
    ]
    tools = count([INSTRUCTIONS, *schemas])
    context = collect_context(
        wiki.ws, None, as_of=None, known_at=None, budget=BUDGET
    )
    start = len(json.dumps(context, ensure_ascii=False)) // 4 + 1
    print(
        f"tokens (characters / 4): {len(TOOLS)} tools {tools}, start of a session {start}"
    )
