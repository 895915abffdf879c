"""What isolation a read has is declared, true, and checked: an operator is refused what it may not
decide on.
"""

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from companion.ledger.operators import REQUIRES
from companion.storage.index import isolation
from companion.storage.index.isolation import View, WeakIsolation


@pytest.fixture
def two(tmp_path: Path) -> tuple[sqlite3.Connection, sqlite3.Connection]:
    """Two connections to one database, as two processes have them."""
    one, other = (
        sqlite3.connect(tmp_path / "x.db", isolation_level=None, timeout=0)
        for _ in range(2)
    )
    one.execute("PRAGMA journal_mode=WAL")
    one.execute("CREATE TABLE t (n)")
    one.execute("INSERT INTO t VALUES (1)")
    return one, other


def seen(db: sqlite3.Connection) -> list[int]:
    return [n for (n,) in db.execute("SELECT n FROM t")]


@pytest.mark.parametrize("strategy", sorted(REQUIRES))
def test_nobody_decides_on_statements_that_each_see_another_moment(
    two: Any, strategy: Any
) -> None:
    with pytest.raises(WeakIsolation, match="read committed") as caught:
        isolation.view_without_transaction(two[0]).require(REQUIRES[strategy])
    assert caught.value.exit_code == 75


@pytest.mark.parametrize("strategy", sorted(REQUIRES))
def test_a_snapshot_is_enough_for_those_that_say_so(
    two: Any, strategy: Any
) -> None:
    with isolation.snapshot(two[0]) as view:
        if REQUIRES[strategy] == "snapshot":
            view.require(REQUIRES[strategy])
        else:
            with pytest.raises(
                WeakIsolation, match="serializable reads are needed"
            ):
                view.require(REQUIRES[strategy])


@pytest.mark.parametrize("way", [isolation.reading, isolation.deciding])
def test_serializable_is_enough_for_all_while_it_lasts(
    two: Any, way: Any
) -> None:
    with way(two[0]) as view:
        for strategy in REQUIRES:
            view.require(REQUIRES[strategy])
    with pytest.raises(WeakIsolation):
        view.require("snapshot")


@pytest.mark.parametrize("way", [isolation.reading, isolation.snapshot])
def test_one_moment_is_seen_whatever_is_written_meanwhile(
    two: Any, way: Any
) -> None:
    one, other = two
    with way(one):
        other.execute("INSERT INTO t VALUES (2)")
        assert seen(one) == [1]
    assert seen(one) == [1, 2]


def test_a_view_that_claims_more_than_it_has_would_see_two_moments(
    two: Any,
) -> None:
    one, other = two
    bare = View(one, "serializable")
    first = seen(one)
    other.execute("INSERT INTO t VALUES (2)")
    assert seen(one) != first and bare.level == "read committed"


def test_who_decides_is_overtaken_by_nobody(two: Any) -> None:
    one, other = two
    with (
        isolation.deciding(one),
        pytest.raises(sqlite3.OperationalError, match="locked"),
    ):
        other.execute("INSERT INTO t VALUES (2)")


def test_who_only_reads_writes_nothing_on_it(two: Any) -> None:
    one, _ = two
    with (
        pytest.raises(sqlite3.OperationalError, match="readonly"),
        isolation.reading(one),
    ):
        one.execute("INSERT INTO t VALUES (2)")
    one.execute("INSERT INTO t VALUES (3)")
    assert seen(one) == [1, 3]
