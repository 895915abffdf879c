"""Which entries an audit suspends: the queue, what lost, the heaviest; not too often (AUD-7)."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.lookup.find import NothingFound
from companion.operations.audit.choose import choose_entries, resolve_target
from companion.runs.run import open_run
from companion.storage.index import schema
from companion.storage.index.tables.audits import AuditRecord
from tests.wiki import Wiki

NOW = "2026-03-31T08:00:00.000000Z"
QUEUED, LOST, HEAVY, LIGHT = "q" * 12, "l" * 12, "h" * 12, "i" * 12


def day(number: int) -> str:
    return f"2026-03-{number:02}T08:00:00.000000Z"


def insert(db: sqlite3.Connection, table: str, **row: Any) -> None:
    marks = ", ".join("?" * len(row))
    query = f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})"
    db.execute(query, tuple(row.values()))


def add_page(
    db: sqlite3.Connection, entry: str, base: float = 0.0, **more: Any
) -> None:
    row = {
        "id": entry,
        "path": f"{entry}.md",
        "title": entry.title(),
        "state": "active",
        "commit_hash": "0" * 40,
        "blob": "1" * 40,
        **more,
    }
    insert(db, "entries", **row)
    numbers = dict.fromkeys(
        ("centrality", "unsupported", "orphaned", "cut_off"), 0
    )
    insert(db, "gravity", entry=entry, factor=1.0, base=base, **numbers)


def queue(db: sqlite3.Connection, entry: str, since: str) -> None:
    insert(
        db,
        "audit_queue",
        entry=entry,
        row=3,
        run="r",
        since=since,
        reason="why",
    )


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    db = schema.open_in_memory()
    for entry, base in ((QUEUED, 0.1), (HEAVY, 0.9), (LIGHT, 0.5)):
        add_page(db, entry, base)
    yield db
    db.close()


def audited(since: str) -> AuditRecord:
    about = (since, "closed", "degraded", "restored", 0, {}, None, False, None)
    return AuditRecord("record", "run", "entry", *about)


def test_the_queue_goes_first_and_then_the_heaviest(
    db: sqlite3.Connection,
) -> None:
    queue(db, QUEUED, day(1))
    chosen, skipped = choose_entries(db, 2, [], {}, NOW)
    assert [one.entry for one in chosen] == [QUEUED, HEAVY, LIGHT]
    assert [one.why for one in chosen] == [
        "row 3 of the matrix queued it",
        "number 1 by gravity",
        "number 2 by gravity",
    ]
    assert not skipped
    assert chosen[0][1:3] == (QUEUED.title(), f"{QUEUED}.md")


def test_of_the_heaviest_as_many_as_are_asked_for(
    db: sqlite3.Connection,
) -> None:
    chosen, _ = choose_entries(db, 1, [], {}, NOW)
    assert [one.entry for one in chosen] == [HEAVY]


def test_what_lost_to_a_branch_is_confirmed_and_what_faded_is_not(
    db: sqlite3.Connection,
) -> None:
    for entry, operation in ((LOST, "consolidate"), ("f" * 12, "decay")):
        add_page(db, entry, state="decaying")
        about = {"operation": operation, "time": NOW, "input": "", "counts": ""}
        insert(db, "runs", run=operation, **about)
        insert(
            db,
            "transitions",
            entry=entry,
            run=operation,
            since=NOW,
            state="decaying",
            undone=0,
        )
    chosen, _ = choose_entries(db, 0, [], {}, NOW)
    assert [one.entry for one in chosen] == [LOST]
    assert "lost to a minority branch" in chosen[0].why


@pytest.mark.parametrize(
    ("last", "chosen"),
    [
        ("2026-01-01T08:00:00.000000Z", True),
        (day(1), True),
        (day(2), False),
        (day(30), False),
    ],
)
def test_what_was_audited_within_thirty_days_waits_and_says_until_when(
    db: sqlite3.Connection, last: str, chosen: bool
) -> None:
    found, skipped = choose_entries(db, 1, [], {HEAVY: audited(last)}, NOW)
    assert bool(found) is chosen
    assert bool(skipped) is not chosen
    for one in skipped:
        assert one.entry == HEAVY and one.last == last
        assert one.next > NOW
    if last == day(2):
        assert skipped[0].next.startswith("2026-04-01")


def test_what_was_queued_since_its_last_audit_is_audited_again(
    db: sqlite3.Connection,
) -> None:
    known = {QUEUED: audited(day(20))}
    queue(db, QUEUED, day(21))
    assert choose_entries(db, 0, [], known, NOW)[0]
    # the last audit has seen what it was queued for
    known = {QUEUED: audited(day(21))}
    assert not choose_entries(db, 0, [], known, NOW)[0]


def test_what_is_named_is_audited_once_whenever_it_was_before(
    db: sqlite3.Connection,
) -> None:
    known = {LIGHT: audited(day(30))}
    chosen, skipped = choose_entries(db, 9, [LIGHT, LIGHT], known, NOW)
    assert [(one.entry, one.why) for one in chosen] == [
        (LIGHT, "asked for by name")
    ]
    assert not skipped


def test_what_was_archived_in_the_queue_is_left_out(
    db: sqlite3.Connection,
) -> None:
    add_page(db, "g" * 12, tombstone=1)
    queue(db, "g" * 12, day(1))
    queue(db, QUEUED, day(2))
    chosen, skipped = choose_entries(db, 0, [], {}, NOW)
    assert [one.entry for one in chosen] == [QUEUED] and not skipped


def test_only_an_entry_is_audited(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    (capture,) = wiki.ingest("Anna is here.", title="Anna")
    wiki.consolidate()
    entry = wiki.show("Anna")["id"]
    with open_run(wiki.ws, "audit") as run:
        assert resolve_target(run, "Anna") == entry
        with pytest.raises(NothingFound, match="is not an entry"):
            resolve_target(run, capture["id"])
