"""What computing the vitality of every entry costs, against reading the rows it is made of by SQL
in the same run.

A third of the entries was used, with outcomes; the rows are fetched and thrown away. Both are CPU
seconds.
"""

import random
import sqlite3
import tempfile
from pathlib import Path

from companion.operations.decay import measure as vitality
from companion.storage.index import schema as index
from companion.values.decay.decay_policy import DEFAULTS
from tests.bench.gravity import timed

SIZES = (1_000, 10_000, 100_000)
GOAL = 3.0  # times reading the rows, at 100,000 entries
NOW, THEN = "2026-11-22T00:00:00Z", "2026-11-15T00:00:00Z"
_ROWS = (
    "SELECT id, state, vitality, gravity, last_accessed FROM entries",
    "SELECT entry, count, last, shown, opened, good, bad FROM accesses",
    "SELECT entry, day, gain, loss FROM credits",
    "SELECT day FROM days_read",
    "SELECT entry, distortion FROM cold",
)


def bench(repeat: int) -> None:
    """Print the cost at every size."""
    print(f"{'entries':>8} {'rows by SQL':>12} {'vitality':>10} {'ratio':>6}")
    for size in SIZES:
        rows, whole = measured(size, repeat)
        print(f"{size:8,} {rows:10.3f} s {whole:8.3f} s {whole / rows:6.2f}")
    print(f"goal at {SIZES[-1]:,} entries: at most {GOAL:.0f}")


def measured(size: int, repeat: int) -> tuple[float, float]:
    """Return the least CPU seconds of reading the rows and of computing every vitality from them,
    interleaved.
    """
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
        db = index.open_for_writing(str(Path(folder) / "index.db"))
        chance = random.Random(size)
        db.execute("BEGIN")
        for n in range(size):
            _add_entry(db, f"{n:016}", chance, is_used=n % 3 == 0)
        db.execute("COMMIT")
        rows, whole = [], []
        for _ in range(repeat):
            rows.append(
                timed(lambda: [db.execute(query).fetchall() for query in _ROWS])
            )
            whole.append(
                timed(lambda: vitality.measure_all(db, DEFAULTS, NOW, THEN))
            )
        db.close()
    return min(rows), min(whole)


def _add_entry(
    db: sqlite3.Connection, entry: str, chance: random.Random, *, is_used: bool
) -> None:
    """Add an entry; where it is used, what was read of it and what spoke for and against it."""
    month, day = chance.randint(1, 10), chance.randint(1, 28)
    date = f"2026-{month:02}-{day:02}"
    last = f"{date}T{chance.randint(0, 23):02}:00:00.000000Z"
    db.execute(
        "INSERT INTO entries (id, path, title, state, commit_hash, blob, gravity,"
        " last_accessed) "
        "VALUES (?1, ?1, ?1, 'active', '', '', ?2, ?3)",
        (entry, chance.random(), last),
    )
    if not is_used:
        return
    db.execute(
        "INSERT INTO accesses"
        " (entry, count, last, shown, opened, good, bad, recalled)"
        " VALUES (?, ?, ?, 9, 3, 1, 0, 0)",
        (entry, chance.randint(1, 50), last),
    )
    db.execute("INSERT OR IGNORE INTO days_read VALUES (?)", (date,))
    db.execute(
        "INSERT INTO credits (entry, day, gain, loss) VALUES (?, ?, ?, ?)",
        (entry, date, chance.random(), chance.random()),
    )
