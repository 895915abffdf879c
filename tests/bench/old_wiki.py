"""`python -m tests.bench old-wiki --notes N`: gather a wiki of N old pages of one note each.

The pages are written as versions before statements wrote them: one page a plain note, a thousand a
run, with the notes of `gathering`. Printed are the seconds of CPU of the preview, of the slices by
sixths, and the most memory that the process held.
"""

import json
import random
import resource
import time
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path

from companion.language.headline import headline
from companion.operations.consolidate.gather import run as gathering
from companion.operations.consolidate.rules import CONSOLIDATE_RULES
from companion.pages import ids
from companion.runs.publication import COMPANION
from companion.runs.run import make_inputs, open_run
from companion.storage import ledger_file
from companion.storage.git.objects import hash_blob
from companion.values.decisions import Write
from companion.values.events import LedgerLine
from companion.values.hashing import sha256
from companion.values.time import format_instant
from companion.workspace import Workspace
from tests.bench import bare
from tests.bench.gathering import SEED, START, make_note
from tests.bench.life import Life

_A_RUN = 1_000  # notes
_PER_DAY = 10


def old_wiki(work: Path, notes: int) -> None:
    """Make *notes* old pages, look at the preview of gathering them, and accept it."""
    bare.forget_durability()
    life = Life(work / "old", format_instant(START - timedelta(days=1)))
    chance = random.Random(SEED)
    for first in range(0, notes, _A_RUN):
        numbers = range(first, min(notes, first + _A_RUN))
        _write_old_pages(life, chance, numbers)
    print(
        f"{notes:,} pages of one note; peak memory {_peak():,} MB", flush=True
    )
    before = time.process_time()
    preview = gathering.gather(life.ws, dry_run=True)
    spent = time.process_time() - before
    counts = preview["counts"]
    left_out = Counter(one["reason"] for one in preview["left_out"])
    for reason, number in left_out.most_common(5):
        print(f"left out: {number:,} {reason}")
    print(
        f"preview: {spent:.1f} CPU s, {counts}; peak memory {_peak():,} MB",
        flush=True,
    )
    costs: list[float] = []
    gather_slice = gathering._gather_slice

    def measured(*given: object) -> None:
        began = time.process_time()
        gather_slice(*given)  # type: ignore[arg-type]
        costs.append(time.process_time() - began)
        print(f"slice {len(costs)}: {costs[-1]:.2f} CPU s", flush=True)

    gathering._gather_slice = measured  # type: ignore[assignment]
    try:
        gathering.gather(life.ws, confirm=preview["confirm"])
    finally:
        gathering._gather_slice = gather_slice
    _print_costs(costs)
    print(f"peak memory {_peak():,} MB")


def _print_costs(costs: list[float]) -> None:
    size = max(1, len(costs) // 6)
    parts = [costs[n : n + size] for n in range(0, len(costs), size)]
    means = [sum(part) / len(part) for part in parts]
    print("CPU s a slice, by sixths: " + " ".join(f"{m:.2f}" for m in means))


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def _write_old_pages(life: Life, chance: random.Random, numbers: range) -> None:
    """Publish a run that wrote a page for each of some notes."""
    lines: list[LedgerLine] = []
    writes = []
    for number in numbers:
        told_at = START + timedelta(
            days=number // _PER_DAY, minutes=number % _PER_DAY
        )
        words = f"{make_note(chance).text} ({number})"
        page, consumed, write = _make_page(words, told_at)
        lines += [page, consumed]
        writes.append(write)
    life.at(format_instant(START + timedelta(days=numbers[-1] // _PER_DAY + 1)))
    ws: Workspace = life.ws
    with open_run(ws, "bench") as run:
        inputs = make_inputs(run, {}, CONSOLIDATE_RULES)
        record = ledger_file.make_run(
            "consolidate", run.moment(), inputs, lines
        )
        run.publish(
            record, writes, "consolidate: old pages", "", author=COMPANION
        )
        run.refold()
        run.journal.checkpoint()


def _make_page(
    words: str, told_at: datetime
) -> tuple[LedgerLine, LedgerLine, Write]:
    digest = sha256()
    digest.update(words.encode())
    capture = digest.hexdigest()
    entry = ids.entry_id(capture)
    path = f"entries/{told_at:%Y/%m}/{words.replace('/', '-').rstrip('.')}.md"
    title = json.dumps(headline(words), ensure_ascii=False)
    front = (
        f"id: {entry}\ntype: note\ntitle: {title}\ncreated: {told_at:%Y-%m-%d}"
    )
    content = f"---\n{front}\n---\n{words}\n".encode()
    telling = {"channel": "cli", "seen_at": format_instant(told_at)}
    created: LedgerLine = {
        "e": "created",
        "entry": entry,
        "path": path,
        "blob": hash_blob(content),
        "bucket": "high",
        "quarantined": 0,
        "reason": "New page.",
    }
    consumed: LedgerLine = {
        "e": "consumed",
        "capture": capture,
        "outcome": "consolidated",
        "entry": entry,
        "sightings": [telling],
        "reason": f"Integrated into {path}.",
    }
    return created, consumed, Write(path, content)
