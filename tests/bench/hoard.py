"""Reads of current values in a wiki of 100,000 claims, as multiples of the bare SQL on the same
file.

The claims come into index.db as any others do: real ledger files in a commit, folded. The floor is
one indexed `SELECT max(valid_from)` for the key, on an open connection; nothing is ruled by it and
nothing explained. Reads and floor are interleaved, key by key, and their own CPU time is taken, for
others may be at work on the machine. A cold `companion claims` is a multiple of `python -c pass`.
"""

import random
import sqlite3
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from companion.answers.claims import read_claims
from companion.maintenance import init as care
from companion.storage import ledger_file
from companion.values.time import format_instant
from tests.bench.life import Life, commit_files, life

CLAIMS = 100_000
RUNS = 10
PREDICATES = ("owner", "region")
TOLD = 5  # times that a key was told anew
READS = 3_000
COLD = 9
CHANCE = 20261122
_START = datetime(2020, 1, 1, tzinfo=UTC)
_FLOOR = "SELECT max(valid_from) FROM claims WHERE subject_key = ? AND predicate_key = ?"


def hoard(claims: int = CLAIMS, reads: int = READS) -> None:
    """Print reads per second, their p99, and both as multiples of the floor; then the cold
    process.
    """
    with life("2026-11-01T08:00:00.000000Z") as home:
        subjects = fill(home, claims)
        db = sqlite3.connect(f"file:{home.place.index_db}?mode=ro", uri=True)
        held = db.execute(
            "SELECT count(*), count(DISTINCT name) FROM claims"
        ).fetchone()
        print(
            f"  {held[0]:,} claims of {held[1]:,} subjects in index.db, through {RUNS} ledger files"
        )
        chance = random.Random(CHANCE)
        keys = [
            (chance.choice(subjects), chance.choice(PREDICATES))
            for _ in range(reads)
        ]
        _compare(home, db, keys)
        _cold(home, keys[:COLD])


def fill(home: Life, claims: int) -> list[str]:
    """Commit ledger files that tell *claims* claims, fold them, and return the subjects."""
    count = max(1, claims // (len(PREDICATES) * TOLD))
    subjects = [f"service {n:05d}" for n in range(count)]
    lines = list(_lines(subjects))
    paths = []
    for n in range(RUNS):
        share = lines[n * len(lines) // RUNS : (n + 1) * len(lines) // RUNS]
        now = format_instant(_START + timedelta(days=365 + n))
        run = ledger_file.make_run("consolidate", now, {}, share)
        path = home.root / run.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(ledger_file.encode(run))
        paths.append(run.path)
    commit_files(home.root, ["--", *paths], "claims")
    care.rebuild(home.ws)
    return subjects


def _lines(subjects: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield a `claims` line for each telling: subject by subject in turn, so that a key's rows lie
    far apart.
    """
    for turn in range(TOLD):
        for n, subject in enumerate(subjects):
            when = format_instant(_START + timedelta(days=turn * 30, seconds=n))
            said = [
                {
                    "subject": subject,
                    "predicate": predicate,
                    "object": f"value {turn} {n}",
                    "span": [at, at + 9],
                    "rule": "en/attribute",
                    "functional": 1,
                }
                for at, predicate in enumerate(PREDICATES)
            ]
            yield {
                "e": "claims",
                "capture": f"{turn:02x}{n:062x}",
                "entry": f"entry{n:011d}",
                "telling": {"seen_at": when, "source": "bench"},
                "claims": said,
                "reason": "told",
            }


def _compare(
    home: Life, db: sqlite3.Connection, keys: Sequence[tuple[str, str]]
) -> None:
    def ruled(subject: str, predicate: str) -> None:
        read_claims(
            home.ws,
            subject,
            predicate,
            as_of=None,
            known_at=None,
            history=False,
        )

    def bare(subject: str, predicate: str) -> None:
        db.execute(_FLOOR, (subject, predicate)).fetchone()

    spent: dict[Callable[[str, str], None], list[float]] = {bare: [], ruled: []}
    for read in spent:
        read(*keys[0])
    for key in keys:
        for read, took in spent.items():
            begun = time.thread_time()
            read(*key)
            took.append(time.thread_time() - begun)
    floor, ours = spent[bare], spent[ruled]
    for name, took in (("bare SQL", floor), ("claims SUBJECT PREDICATE", ours)):
        print(
            f"  {name:26} {len(took) / sum(took):9,.0f} reads/s  median"
            f" {statistics.median(took) * 1e6:6.0f} µs "
            f"({statistics.median(took) / statistics.median(floor):5.1f} x)  p99"
            f" {p99(took) * 1e6:6.0f} µs "
            f"({p99(took) / p99(floor):5.1f} x)"
        )


def p99(took: Sequence[float]) -> float:
    """Return what 99 of 100 stay below."""
    return sorted(took)[min(len(took) - 1, len(took) * 99 // 100)]


def _cold(home: Life, keys: Sequence[tuple[str, str]]) -> None:
    from tests.bench.__main__ import PROGRAM, child

    rows: list[tuple[float, float]] = []
    for subject, predicate in keys:
        command = [*PROGRAM, "claims", subject, predicate, "-C", str(home.root)]
        rows.append(
            (
                child([sys.executable, "-c", "pass"], Path.cwd())[0],
                child(command, Path.cwd())[0],
            )
        )
    ratio = statistics.median(ours / bare for bare, ours in rows)
    took = statistics.median(ours for _, ours in rows) * 1e3
    print(
        f"  cold `companion claims`    {took:.0f} CPU ms, {ratio:.1f} x python -c pass"
    )
