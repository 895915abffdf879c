"""`python -m tests.bench index`: how large the index is, table by table with its indexes, of a
vault of linked pages and of very short notes. No other work on the machine changes them.
"""

import sqlite3
import tempfile
from pathlib import Path
from typing import NamedTuple

from companion.values.captures import Draft
from tests.bench.life import Life, open_life

PAGES = 9_500
SHORT = 400  # notes of 57 bytes
NOW = "2026-03-01T08:00:00.000000Z"
#: a table below this share of its index is not named
LEAST = 0.03
#: of the bytes of the notes, and for each of them
GOAL, GOAL_EACH = 1.2, 1_000


class Size(NamedTuple):
    """The bytes of the notes, of their index, and of its largest tables with their indexes."""

    notes: int
    index: int
    goal: float
    tables: dict[str, int]


def index() -> None:
    """Print both sizes."""
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as work:
        for name, size in measure_index(Path(work)).items():
            print(f"{name}: {size.index / 1e6:.1f} MB", end="")
            print(f" of {size.notes / 1e6:.1f} MB of notes", end="")
            print(f" (goal {size.goal / 1e6:.1f})")
            for table, count in size.tables.items():
                print(f"  {table:16}{count / 1e6:6.1f}")


def measure_index(work: Path) -> dict[str, Size]:
    """Return the sizes of a vault of pages, and of a night of short notes."""
    from tests.bench.__main__ import make_notes

    made = make_notes(work / "vault", PAGES)
    Life(work / "vault", NOW)
    vault = read_size(work / "vault", [len(text) for _, text in made])
    short = Life(work / "short", NOW)
    notes = [
        f"the {n:03d}th of many notes is as short as a note may be"[:57]
        for n in range(SHORT)
    ]
    short.tell_all([Draft(note.ljust(57, "s")) for note in notes])
    short.night()
    return {
        f"{PAGES:,} pages with three links each": vault,
        f"{SHORT} notes of 57 bytes": read_size(work / "short", [57] * SHORT),
    }


def read_size(root: Path, lengths: list[int]) -> Size:
    """Return the size of the index of the wiki *root*, whose notes have these *lengths*."""
    path = open_life(root).place.index_db
    db = sqlite3.connect(path)
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    owners = dict(db.execute("SELECT name, tbl_name FROM sqlite_master"))
    sizes: dict[str, int] = {}
    for name, count in db.execute(
        "SELECT name, SUM(pgsize) FROM dbstat GROUP BY name"
    ):
        table = name_table(owners.get(name, name), owners)
        sizes[table] = sizes.get(table, 0) + count
    db.close()
    whole = Path(path).stat().st_size
    large = {
        name: size for name, size in sizes.items() if size >= LEAST * whole
    }
    ordered = dict(sorted(large.items(), key=lambda one: -one[1]))
    goal = GOAL * sum(lengths) + GOAL_EACH * len(lengths)
    return Size(sum(lengths), whole, goal, ordered)


def name_table(name: str, known: dict[str, str]) -> str:
    """Return the full-text table of which *name* is a part, or *name* itself."""
    whole, _, part = name.rpartition("_")
    if (
        part in ("data", "idx", "content", "docsize", "config")
        and whole in known
    ):
        return whole
    return name
