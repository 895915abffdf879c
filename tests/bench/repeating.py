"""What nights cost while the same facts are told over and over: a year of 20 weeks in which 70 notes
a week tell one of three facts of each of 50 things.

Nine of ten notes repeat what is known, the tenth gives a new value. The figures are the ledger's
bytes for a note, and the CPU seconds of a night's notes of the last weeks against the first full
ones: nights must cost what changed, whatever was told before.
"""

import json
import random
import statistics
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from companion.values.captures import Draft
from companion.values.time import format_instant
from tests.bench import bare, years
from tests.bench.gathering import measure_pace
from tests.bench.life import Life
from tests.made import note_origin, publish, write_table

WEEKS, NOTES, THINGS = 20, 70, 50
START = datetime(2026, 1, 5, 8, tzinfo=UTC)
#: weeks that are compared, at each end; the first of all has only new things
COMPARED = 4
SEED = 20261126
QUALITY = Path(__file__).resolve().parents[2] / "docs" / "quality"
RESULTS = QUALITY / "results" / "repeating.json"
PAGE = QUALITY / "repeating.md"
COMMAND = "python -m tests.bench.repeating"

_FACTS = (
    ("{thing} is kept in the {value}.", ("cellar", "shed", "attic", "garage")),
    ("{thing} belongs to {value}.", ("Ada", "Ben", "Cem", "Dora")),
    ("The colour of {thing} is {value}.", ("green", "red", "white", "grey")),
)
_KINDS = ("bike", "drill", "kayak", "ladder", "lamp", "pump", "saw", "sled")
_OWNERS = ("Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Hazel")


class Record(NamedTuple):
    """What is published of one run."""

    command: str
    commit: str
    date: str
    seeds: list[int]
    nights: list[float]  # CPU seconds, week by week
    paces: list[float]  # CPU seconds of the same fixed work beside each night
    bytes_each: int  # of ledger, a capture

    @property
    def ratio(self) -> float:
        """Return what the last nights cost as a multiple of the first, in fixed work."""
        return _compare(self.works)

    @property
    def works(self) -> list[float]:
        """Return how often each night's seconds would have done the fixed work beside it."""
        pairs = zip(self.nights, self.paces, strict=True)
        return [night / pace for night, pace in pairs]

    @property
    def ratio_of_seconds(self) -> float:
        """Return the same in CPU seconds, which do more at one hour than at another."""
        return _compare(self.nights)


def repeating(weeks: int = WEEKS) -> None:
    """Live *weeks* weeks; print how the last nights compare with the first."""
    print(write_page(measure(weeks)))


def measure(weeks: int = WEEKS) -> Record:
    """Live *weeks* weeks; return what their nights cost."""
    bare.forget_durability()
    spent: list[float] = []
    paces: list[float] = []
    with TemporaryDirectory(prefix="companion-bench-") as folder:
        life = Life(Path(folder), format_instant(START))
        chance = random.Random(SEED)
        values: dict[tuple[str, int], str] = {}
        for week in range(weeks):
            now = START + timedelta(weeks=week)
            for n, text in enumerate(_draw(chance, values)):
                life.at(format_instant(now + timedelta(minutes=7 * n)))
                life.tell([Draft(f"{text} Noted in week {week + 1}.")])
            life.at(format_instant(now + timedelta(hours=16)))
            pace = measure_pace()
            began = time.process_time()
            life.night()
            spent.append(time.process_time() - began)
            paces.append((pace + measure_pace()) / 2)
            print(f"  week {week + 1:3}: {spent[-1]:.2f} CPU s", flush=True)
        size, _ = years.ledger_bytes(Path(folder))
    nights = [round(one, 2) for one in spent]
    works = [round(pace, 4) for pace in paces]
    each = round(size / (weeks * NOTES))
    return Record(*note_origin(COMMAND), [SEED], nights, works, each)


def _draw(
    chance: random.Random, values: dict[tuple[str, int], str]
) -> list[str]:
    """Return the sentences of a week; *values* holds what is told now of each fact."""
    told = []
    for _ in range(NOTES):
        thing = _name(chance.randrange(THINGS))
        fact = chance.randrange(len(_FACTS))
        sentence, choices = _FACTS[fact]
        value = values.get((thing, fact))
        if value is None or chance.random() < 0.1:
            value = chance.choice(choices)
        values[thing, fact] = value
        told.append(sentence.format(thing=thing, value=value))
    return told


def _name(number: int) -> str:
    owner = _OWNERS[number // len(_KINDS)]
    return f"{owner}'s {_KINDS[number % len(_KINDS)]}"


def _compare(spent: Sequence[float]) -> float:
    first = statistics.median(spent[1 : COMPARED + 1])
    return statistics.median(spent[-COMPARED:]) / first


# -- publishing ------------------------------------------------------------------------------------


def write_record(record: Record) -> str:
    """Return *record* as JSON that `read_record` reads."""
    ratios = {
        "ratio": f"{record.ratio:.2f}",
        "ratio_of_seconds": f"{record.ratio_of_seconds:.2f}",
    }
    document = {**record._asdict(), **ratios}
    return json.dumps(document, indent=1) + "\n"


def read_record(text: str) -> Record:
    """Return what `write_record` wrote."""
    document = json.loads(text)
    del document["ratio"], document["ratio_of_seconds"]
    return Record(**document)


def write_page(record: Record) -> str:
    """Return the page as Markdown."""
    rows = zip(record.nights, record.works, strict=True)
    table = write_table(
        ["week", "CPU s of its night", "times the fixed work"],
        [
            (week, f"{spent:.2f}", f"{work:.1f}")
            for week, (spent, work) in enumerate(rows, 1)
        ],
    )
    head = _HEAD.format(
        **record._asdict(),
        ratio=record.ratio,
        seconds=record.ratio_of_seconds,
        each=f"{record.bytes_each:,}",
    )
    return head + "\n".join(table) + "\n"


_HEAD = """\
# Nights of repeated facts

Made by `{command}` on {date}, after {commit}; the figures are in [results/repeating.json](results/repeating.json), and a test
holds this page to them. Twenty weeks of 70 notes about 50 things; nine of ten say again what is known, the tenth gives a new
value. A night must cost what changed: at most 1.5 times as much at the end as in the beginning, and at most 2,000 bytes of
ledger a capture.

**The last four nights cost {ratio:.2f} times as much as those of weeks 2 to 5; the ledger has {each} bytes a capture.** That is in
pieces of work that is always the same and is done right before and after each night, because on a machine that others use a
second of the processor does more at one hour than at another; in seconds it is {seconds:.2f} times.

"""


def record_run() -> None:
    """Measure, and write the results and the page of the documents."""
    record = measure()
    publish(PAGE.stem, write_record(record), write_page(record))


if __name__ == "__main__":
    record_run()
