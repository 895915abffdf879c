"""What nights cost while the same facts are told over and over: a year of 20 weeks in which 70 notes
a week tell one of three facts of each of 50 things.

Nine of ten notes repeat what is known, the tenth gives a new value. The figures are the ledger's
bytes for a note, and the CPU seconds of a night's notes of the last weeks against the first full
ones: nights must cost what changed, whatever was told before.
"""

import random
import statistics
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.values.captures import Draft
from companion.values.time import format_instant
from tests.bench import bare, years
from tests.bench.life import Life

WEEKS, NOTES, THINGS = 20, 70, 50
START = datetime(2026, 1, 5, 8, tzinfo=UTC)
#: weeks that are compared, at each end; the first of all has only new things
COMPARED = 4
SEED = 20261126

_FACTS = (
    ("{thing} is kept in the {value}.", ("cellar", "shed", "attic", "garage")),
    ("{thing} belongs to {value}.", ("Ada", "Ben", "Cem", "Dora")),
    ("The colour of {thing} is {value}.", ("green", "red", "white", "grey")),
)
_KINDS = ("bike", "drill", "kayak", "ladder", "lamp", "pump", "saw", "sled")
_OWNERS = ("Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Hazel")


def repeating(weeks: int = WEEKS) -> None:
    """Live *weeks* weeks; print how the last nights compare with the first."""
    bare.forget_durability()
    spent = []
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
            began = time.process_time()
            life.night()
            spent.append(time.process_time() - began)
            print(f"  week {week + 1:3}: {spent[-1]:.2f} CPU s", flush=True)
        size, _ = years.ledger_bytes(Path(folder))
    each = size / (weeks * NOTES)
    ratio = _compare(spent)
    print(f"  {each:.0f} bytes of ledger a capture")
    print(f"  the last {COMPARED} nights cost {ratio:.2f} x the first")


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
