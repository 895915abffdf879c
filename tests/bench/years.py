"""A life of notes, one night after another, through the product's own operations; then what the
record costs.

The nights are real runs, in one process that does not wait for the disk: what they leave is the
same to the byte.
"""

import os
import random
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from companion.maintenance import init as care
from companion.operations.consolidate import run as night
from companion.operations.triage import capture
from companion.storage.git import layout
from companion.values.captures import Draft
from companion.values.time import format_instant
from companion.workspace import Workspace
from tests.bench import bare

START = datetime(2026, 1, 1, 8, tzinfo=UTC)
# a note's title is one of these, the lower ones more often: so pages grow
TOPICS = 4_000
WORDS = [f"w{n:05d}" for n in range(20_000)]


def live(root: Path, days: int, per_day: int, every: int) -> None:
    """Make a wiki in *root* that lived *days* days, with a night every *every* days."""
    bare.forget_durability()
    chance = random.Random(20261121)
    # the life begins in the past
    os.environ["COMPANION_NOW"] = format_instant(START - timedelta(days=1))
    care.init(str(root))
    found = layout.make_place(str(root))
    assert found is not None
    for day in range(days):
        now = START + timedelta(days=day)
        capture.ingest(
            Workspace(found, format_instant(now)),
            [draft(chance) for _ in range(per_day)],
        )
        if (day + 1) % every == 0 or day + 1 == days:
            night.consolidate(
                Workspace(found, format_instant(now + timedelta(hours=16)))
            )


def draft(chance: random.Random) -> Draft:
    """Return a note: most under a title, some untitled, some turns of a chat, a few said again."""
    topic = min(int(chance.paretovariate(0.6)), TOPICS) - 1
    words = (
        WORDS[min(int(chance.paretovariate(0.7)), len(WORDS) - 1)]
        for _ in range(chance.randint(8, 80))
    )
    text = f"{' '.join(words)} [[topic {chance.randrange(TOPICS)}]]"
    kind = chance.random()
    more: dict[str, Any] = {}
    if kind < 0.6:
        more = {"title": f"topic {topic}"}
    elif kind < 0.8:
        more = {"channel": "chat", "source": f"session {topic % 7}"}
    return Draft(text, **more)


def ledger_bytes(root: Path) -> tuple[int, int]:
    """Return (bytes of all ledger files, how many there are)."""
    sizes = [
        path.stat().st_size
        for path in (root / ".companion/ledger").rglob("*.jsonl")
    ]
    return sum(sizes), len(sizes)


if __name__ == "__main__":
    live(Path(sys.argv[1]), *map(int, sys.argv[2:5]))
