"""`python -m tests.bench costs`: what all operations together cost, by the size of a wiki (ARC-5).

A life of notes (`years`) grows to a sixteenth, a fourth and all of --notes; at each size a week is
lived in it: a night a day with all operations, and what a person asks meanwhile. CPU is that of
this process and its children, and nothing waits for the disk. What stands beyond the largest size
follows the growth between the two largest, and is marked as such. A shard is a wiki of 100,000
notes: more of them cost as many times as much, and what asks all of them is not in here.
"""

import math
import os
import random
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

from companion.answers.ask import ask
from companion.lookup.search import search_wiki
from companion.maintenance import init
from companion.operations.audit.run import audit
from companion.operations.consolidate.run import consolidate
from companion.operations.contextualize.run import contextualize
from companion.operations.decay.run import decay
from companion.operations.triage import capture
from companion.storage.git import layout
from companion.values.time import format_instant
from companion.workspace import Workspace
from tests.bench import bare
from tests.bench.years import START, draft, ledger_bytes

A_DAY = 20  # notes of the week's days
QUESTIONS = 20  # of the week, and as many searches
AUDITED = 5  # entries a night
AT_ONCE = 500  # notes of a night while the wiki grows
SHARD = 100_000  # notes
ORGANISATIONS = (1_000_000, 10_000_000, 100_000_000)

Clock = Callable[[], float]


class Costs(NamedTuple):
    """What a week cost in a wiki of *notes* notes: CPU ms of one of each, and bytes of a note."""

    notes: int
    pages: int
    ms: dict[str, float]
    sizes: dict[str, float]


def costs(work: Path, notes: int, cpu_now: Clock) -> list[Costs]:
    """Print and return the costs at three sizes, the smallest first."""
    bare.forget_durability()
    life = _Life(work / "wiki", cpu_now)
    sizes = (notes // 16, notes // 4, notes)
    found = [life.live_week(size) for size in sizes if size]
    _tell(found)
    return found


class _Life:
    """A wiki that grows."""

    def __init__(self, root: Path, cpu_now: Clock) -> None:
        self.root = root
        self.cpu_now = cpu_now
        self.chance = random.Random(20261126)
        self.now = START
        self.notes = 0
        self.ms: dict[str, list[float]] = {}
        os.environ["COMPANION_NOW"] = format_instant(START)
        init.init(str(root))

    @property
    def ws(self) -> Workspace:
        self.now += timedelta(minutes=1)
        found = layout.make_place(str(self.root))
        assert found is not None
        return Workspace(found, format_instant(self.now))

    def live_week(self, notes: int) -> Costs:
        while self.notes < notes:
            self._tell(min(AT_ONCE, notes - self.notes))
            self._pass_night()
        self.ms = {}
        for _ in range(7):
            self._tell(A_DAY)
            for _ in range(QUESTIONS // 7 + 1):
                self._ask()
            self._pass_night()
        means = {name: sum(all) / len(all) for name, all in self.ms.items()}
        return Costs(notes, self._count_pages(), means, self._find_sizes())

    def _tell(self, count: int) -> None:
        drafts = [draft(self.chance) for _ in range(count)]
        per_note = self._time("note", lambda: capture.ingest(self.ws, drafts))
        self.ms["note"][-1] = per_note / count
        self.notes += count

    def _ask(self) -> None:
        words = " ".join(draft(self.chance).text.split()[:3])
        self._time("search", lambda: search_wiki(self.ws, words))
        question = f"What is {words}?"
        self._time(
            "ask", lambda: ask(self.ws, question, as_of=None, budget=2000)
        )

    def _pass_night(self) -> None:
        self.now += timedelta(hours=16)
        self._time("contextualize", lambda: contextualize(self.ws))
        self._time("consolidate", lambda: consolidate(self.ws))
        self._time("decay", lambda: decay(self.ws))
        self._time("audit", lambda: audit(self.ws, top=AUDITED))
        self.now += timedelta(hours=8)

    def _time(self, name: str, do: Callable[[], object]) -> float:
        begun = self.cpu_now()
        do()
        ms = (self.cpu_now() - begun) * 1000
        self.ms.setdefault(name, []).append(ms)
        return ms

    def _count_pages(self) -> int:
        return sum(1 for _ in self.root.rglob("*.md"))

    def _find_sizes(self) -> dict[str, float]:
        """Return the bytes that a note takes up, by where."""
        place = self.ws.place
        pages = sum(path.stat().st_size for path in self.root.rglob("*.md"))
        git = Path(place.common_dir) / "objects"
        objects = sum(
            path.stat().st_size for path in git.rglob("*") if path.is_file()
        )
        index = Path(place.index_db).stat().st_size
        ledger, _ = ledger_bytes(self.root)
        sizes = {
            "pages": pages,
            "ledger": ledger,
            "git": objects,
            "index": index,
        }
        return {name: size / self.notes for name, size in sizes.items()}


# -- what follows from it --------------------------------------------------------------------------


def extrapolate(found: Sequence[Costs], name: str, notes: int) -> float:
    """Return what *name* would cost at *notes*, as it grew between the two largest sizes."""
    small, large = found[-2:]
    ratio = max(large.ms[name], 0.01) / max(small.ms[name], 0.01)
    power = math.log(ratio) / math.log(large.notes / small.notes)
    return large.ms[name] * (notes / large.notes) ** max(0.0, power)


def sum_year(ms: dict[str, float]) -> float:
    """Return the CPU seconds of a year: each day twenty notes, three searches, three questions and
    a night.
    """
    night = sum(
        ms[name] for name in ("contextualize", "consolidate", "decay", "audit")
    )
    day = A_DAY * ms["note"] + 3 * ms["search"] + 3 * ms["ask"] + night
    return 365 * day / 1000


def _tell(found: Sequence[Costs]) -> None:
    """Print what was measured, and what follows."""
    names = list(found[0].ms)
    rows = [(f"{one.notes:,} notes", one.ms) for one in found]
    shard = {name: extrapolate(found, name, SHARD) for name in names}
    rows.append((f"{SHARD:,} (by growth)", shard))
    print(f"{'CPU ms':24}" + "".join(f"{name:>14}" for name in names))
    for label, ms in rows:
        print(f"{label:24}" + "".join(f"{ms[name]:14.1f}" for name in names))
    print(f"{'bytes a note':24}" + "".join(f"{n:>10}" for n in found[0].sizes))
    for one in found:
        row = "".join(f"{size:10.0f}" for size in one.sizes.values())
        print(f"{f'{one.notes:,} notes':24}{row}  ({one.pages:,} pages)")
    print("a year of twenty notes a day in one wiki: CPU seconds")
    for label, ms in rows:
        print(f"{label:24}{sum_year(ms):10.0f}")
    _tell_shards(sum_year(shard), sum(found[-1].sizes.values()))


def _tell_shards(year: float, bytes_a_note: float) -> None:
    print("shards by those figures: CPU hours of a year of nights, and disk")
    for notes in ORGANISATIONS:
        shards = notes // SHARD
        hours, disk = shards * year / 3600, notes * bytes_a_note / 1e9
        print(
            f"{notes:,} notes, {shards:,} shards: {hours:,.0f} h, {disk:,.0f} GB"
        )
