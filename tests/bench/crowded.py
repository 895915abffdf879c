"""What a night costs among open branches: the same captures, with BRANCHES of MEMBERS each that
wait, and without.

Each branch is one source that says its own thing over and over, so that none may win. The wikis are
alike but for what those sources said: each has the same pages, and the same captures come in at
night.
"""

import json
import random
import shutil
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.bench.nights import CAPTURES, NIGHTS, captures, make_vault

BRANCHES, MEMBERS, DEPENDENTS = 20, 30, 8
_KINDS = ("queue", "ledger", "index", "cache", "gateway")
_NAMES = ("Alder", "Birch", "Cedar", "Dogwood")

Run = Callable[[Sequence[str], Path], tuple[float, int]]


def crowded(work: Path, count: int, run: Run) -> None:
    """Compare nights on *count* entries with open branches and without."""
    rooms = {"no branch": work / "plain", "open branches": work / "crowded"}
    for name, wiki in rooms.items():
        make_vault(wiki, count)
        run(["init", str(wiki)], work)
        tell(work, wiki, foundations(), run)
        run(["decay", "-C", str(wiki)], work)
        for turn in range(3):
            some = challengers(turn) if name == "open branches" else []
            tell(work, wiki, some, run)
    spent: dict[str, list[float]] = {name: [] for name in rooms}
    for turn in range(1, NIGHTS + 1):
        folder = captures(work, turn)
        for name, wiki in rooms.items():
            run(["ingest", str(folder), "-C", str(wiki)], work)
            spent[name].append(run(["consolidate", "-C", str(wiki)], work)[0])
    for name, wiki in rooms.items():
        idle, _ = run(["consolidate", "-C", str(wiki)], work)
        shutil.rmtree(wiki)
        print(
            f"{name:14} a night of {CAPTURES} captures {statistics.median(spent[name]):.2f} CPU s; idle {idle:.2f}"
        )
    pairs = zip(spent["open branches"], spent["no branch"], strict=True)
    ratio = statistics.median(a / b for a, b in pairs)
    print(
        f"{BRANCHES} open branches of {MEMBERS} members make a night cost {ratio:.2f} x"
    )


def tell(
    work: Path, wiki: Path, notes: Sequence[dict[str, str]], run: Run
) -> float:
    """Take in *notes* and consolidate them; return what the night cost."""
    if notes:
        told = work / "told.jsonl"
        told.write_text("".join(json.dumps(note) + "\n" for note in notes))
        run(["ingest", "--jsonl", str(told), "-C", str(wiki)], work)
    return run(["consolidate", "-C", str(wiki)], work)[0]


def beliefs() -> list[str]:
    """Return what every branch is about."""
    return [f"{name} {kind}" for name in _NAMES for kind in _KINDS][:BRANCHES]


def foundations() -> list[dict[str, str]]:
    """Return pages that others rest on, and those others."""
    notes = [
        {
            "title": name,
            "text": f"The {name} delivers every event exactly once.",
        }
        for name in beliefs()
    ]
    for name in beliefs():
        for n in range(DEPENDENTS):
            title = f"{name} user {n}"
            notes.append(
                {
                    "title": title,
                    "text": f"{title} relies on the [[{name}]] and on nothing else.",
                }
            )
    return notes


def challengers(turn: int) -> list[dict[str, str]]:
    """Return what the sources say in one night: a third of what they say in all."""
    chance = random.Random(turn)
    each = MEMBERS // 3
    return [
        {
            "text": f"After restart {turn * each + n} the {name} does not deliver every event exactly once: "
            f"{chance.randint(2, 999)} events had come twice.",
            "source": f"the operator of the {name}",
        }
        for name in beliefs()
        for n in range(each)
    ]
