"""Print TOKI's grids. Exit 1 where a cell is not what the theorems say."""

import sys
import tempfile
from pathlib import Path

from tests.ledger.isolation import anomalies, beliefs, compose
from tests.ledger.isolation.anomalies import Cell

QUESTIONS = 2_000


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="companion-toki-") as name:
        folder = Path(name)
        wrong = _grid("isolation", anomalies.grid(folder)) + _grid(
            "drift", beliefs.drift(folder)
        )
        wrong += (
            _grid("schema", beliefs.schema()) + _pipelines() + _replay(folder)
        )
    print(f"\n{wrong} cells are not what the theorems say")
    return 1 if wrong else 0


def _grid(name: str, cells: list[Cell]) -> int:
    columns = list(dict.fromkeys(column for _, column, _, _ in cells))
    print(
        f"\n{name}: {len(cells)} cells, A admits, X excludes, ! is not what it should be"
    )
    print(" " * 44 + "  ".join(columns))
    found = {
        (row, column): (shows, should) for row, column, shows, should in cells
    }
    for row in dict.fromkeys(row for row, _, _, _ in cells):
        marks = [
            _mark(*found[row, column]).ljust(len(column))
            for column in columns
            if (row, column) in found
        ]
        print(f"{row:<44}{'  '.join(marks)}".rstrip())
    return sum(shows != should for _, _, shows, should in cells)


def _mark(shows: bool, should: bool) -> str:
    return ("A" if shows else "X") + ("" if shows == should else "!")


def _pipelines() -> int:
    cells = compose.composition()
    wrong = sum(refused != should for _, _, refused, should in cells)
    refused = {
        level: sum(r for _, column, r, _ in cells if column == level)
        for _, level, _, _ in cells
    }
    said = ", ".join(
        f"{count} refused at {level}" for level, count in refused.items()
    )
    print(
        f"\npipelines: {len(cells) // len(refused)} of up to {compose.LONGEST} operators; {said};"
    )
    print(f"{wrong} otherwise than the join of what their steps require")
    return wrong


def _replay(folder: Path) -> int:
    print(
        f"\nreplay: {QUESTIONS} questions asked twice; p, without a log, 2p(1-p), with the log"
    )
    far, kept = 0.0, 0
    for p in compose.rates():
        bare = compose.replays(folder, p, QUESTIONS, keyed=False)
        keyed = compose.replays(folder, p, QUESTIONS, keyed=True)
        far, kept = far + abs(bare - 2 * p * (1 - p)), kept + (keyed > 0)
        print(f"  {p:.3f}  {bare:.3f}  {2 * p * (1 - p):.3f}  {keyed:.3f}")
    print(
        f"  mean distance from 2p(1-p): {far / len(compose.rates()):.4f}; rates above 0 with"
        f" the log: {kept}"
    )
    return kept


if __name__ == "__main__":
    sys.exit(main())
