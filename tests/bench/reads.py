"""What an ordinary year of reads adds to the ledger: 20 captures, 30 searches and 10 openings a
day, a night each day.

The budget is 2 kB a capture, everything counted (`tests/operations/consolidate/test_run.py` holds a
night without reads to it).
"""

import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from datetime import timedelta
from pathlib import Path

from companion.lookup.search import search_wiki
from companion.maintenance import init as care
from companion.operations.consolidate import run as night
from companion.operations.triage import capture
from companion.reading.entry.show import show_target
from companion.storage.git import layout
from companion.usage.record_read import record_search, record_show
from companion.values.time import format_instant
from companion.workspace import Workspace
from tests.bench import bare, years

DAYS, CAPTURES, SEARCHES, OPENINGS = 365, 20, 30, 10
BUDGET = 2000  # bytes a capture


def budget(days: int = DAYS) -> int:
    """Live *days* days; print and return the bytes of ledger a capture."""
    with tempfile.TemporaryDirectory() as folder:
        wiki = Path(folder) / "wiki"
        # In a process of its own: it does not wait for the disk, and nobody else's may learn that.
        subprocess.run(
            [sys.executable, "-m", "tests.bench.reads", str(days), str(wiki)],
            check=True,
        )
        size, runs = years.ledger_bytes(wiki)
        kinds = _kinds(wiki)
    each = round(size / (days * CAPTURES))
    print(
        f"  {days} days of {CAPTURES} captures, {SEARCHES} searches and {OPENINGS} openings,"
        f" {runs} runs"
    )
    parts = ", ".join(
        f"{kind} {count / (days * CAPTURES):.0f}"
        for kind, count in kinds.most_common(6)
    )
    print(
        f"  {each} bytes of ledger a capture ({'within' if each <= BUDGET else 'OVER'}"
        f" {BUDGET}): {parts}"
    )
    return each


def _live(root: Path, days: int) -> None:
    bare.forget_durability()
    chance = random.Random(20261122)
    os.environ["COMPANION_NOW"] = format_instant(
        years.START - timedelta(days=1)
    )
    care.init(str(root))
    where = layout.make_place(str(root))
    assert where is not None
    for day in range(days):
        now = years.START + timedelta(days=day)
        told = [years.draft(chance) for _ in range(CAPTURES)]
        capture.ingest(Workspace(where, format_instant(now)), told)
        for n in range(SEARCHES):
            _look(
                where,
                format_instant(now + timedelta(minutes=10 * n)),
                chance,
                opens=n < OPENINGS,
            )
        night.consolidate(
            Workspace(where, format_instant(now + timedelta(hours=15)))
        )


def _look(
    where: layout.Place, now: str, chance: random.Random, *, opens: bool
) -> None:
    """Search for two words of those that notes use, and open one of the first three."""
    ws = Workspace(where, now)
    words = (
        years.WORDS[min(int(chance.paretovariate(0.7)), len(years.WORDS) - 1)]
        for _ in range(2)
    )
    found = search_wiki(ws, " ".join(words))
    record_search(ws, found)
    pages = [hit["id"] for hit in found["results"][:3] if hit["path"]]
    if opens and pages:
        record_show(ws, show_target(ws, chance.choice(pages)))


def _kinds(root: Path) -> Counter[str]:
    """Return how many bytes of the ledger each kind of line takes."""
    found = Counter[str]()
    for path in (root / ".companion/ledger").rglob("*.jsonl"):
        for line in path.read_bytes().splitlines(keepends=True):
            found[json.loads(line)["e"]] += len(line)
    return found


if __name__ == "__main__":
    if sys.argv[2:]:
        _live(Path(sys.argv[2]), int(sys.argv[1]))
    else:
        budget(*map(int, sys.argv[1:]))
