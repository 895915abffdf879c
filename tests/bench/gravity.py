"""What weighing a wiki costs, against a bare PageRank over the same links in the same run.

The wikis are made from a seed: three links a page on average, to old pages more than to new ones.
The pass is the whole of it: reading entries and edges out of index.db, centrality and
fragmentation, and writing every weight back. The floor is PageRank as scipy users write it: a
sparse matrix, a power iteration to 1e-9, nothing else.
"""

import sqlite3
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from companion.config import Config
from companion.gravity.measure import weigh_entries
from companion.storage.index import schema as index

SIZES = (1_000, 10_000, 100_000)
LINKS = 3
GOAL = 40.0  # times the bare PageRank, at 100,000 entries


def bench(repeat: int) -> None:
    """Print the cost of a pass at every size."""
    print(
        f"{'entries':>8} {'links':>8} {'bare PageRank':>14} {'pass':>8} {'ratio':>6}"
    )
    for size in SIZES:
        bare, whole, links = measured(size, repeat)
        print(
            f"{size:8,} {links:8,} {bare:12.3f} s {whole:6.3f} s {whole / bare:6.1f}"
        )
    print(f"goal at {SIZES[-1]:,} entries: at most {GOAL:.0f}")


def measured(size: int, repeat: int) -> tuple[float, float, int]:
    """Return the least CPU seconds of a bare PageRank and of a whole pass, interleaved, and the
    number of links.
    """
    tails, heads = made(size)
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
        db = stored(Path(folder) / "index.db", size, tails, heads)
        bare, whole = [], []
        for turn in range(repeat):
            tonight: Any = SimpleNamespace(
                db=db,
                tree=str(turn),
                config=Config(),
                ws=SimpleNamespace(now=lambda: "2026-11-22T00:00:00Z"),
            )
            bare.append(timed(lambda: scipy_pagerank(size, tails, heads)))
            whole.append(timed(lambda found=tonight: weigh_entries(found)))
        db.close()
    return min(bare), min(whole), len(tails)


def made(size: int) -> tuple[Any, Any]:
    """Return a wiki's links, as dependents and depended-upon."""
    chance = np.random.default_rng(size)
    tails = chance.integers(0, size, LINKS * size)
    heads = (size * chance.random(LINKS * size) ** 3).astype(np.int64)
    pairs = np.unique(tails * size + heads)
    tails, heads = pairs // size, pairs % size
    return tails[tails != heads], heads[tails != heads]


def stored(path: Path, size: int, tails: Any, heads: Any) -> sqlite3.Connection:
    """Return an index that holds such a wiki."""
    db = index.open_for_writing(str(path))
    ids = [f"{n:016}" for n in range(size)]
    db.execute("BEGIN")
    db.executemany(
        "INSERT INTO entries (id, path, title, state, commit_hash, blob) VALUES (?1, ?1, ?1,"
        " 'active', '', '')",
        ((id,) for id in ids),
    )
    edges = (
        (ids[tail], ids[head])
        for tail, head in zip(tails.tolist(), heads.tolist(), strict=True)
    )
    db.executemany("INSERT INTO edges VALUES (?, ?, 'link', 1)", edges)
    db.execute("COMMIT")
    return db


def scipy_pagerank(size: int, tails: Any, heads: Any) -> Any:
    """Return PageRank by power iteration over a sparse matrix."""
    from scipy import sparse

    given = np.bincount(tails, minlength=size)
    matrix = sparse.csr_array(
        (1 / given[tails], (heads, tails)), shape=(size, size)
    )
    rests = given == 0
    rank = np.full(size, 1 / size)
    for _ in range(200):
        before = rank
        rank = 0.85 * (matrix @ rank + rank[rests].sum() / size) + 0.15 / size
        if np.abs(rank - before).sum() < 1e-9:
            break
    return rank


def timed(what: Callable[[], Any]) -> float:
    began = time.process_time()
    what()
    return time.process_time() - began
