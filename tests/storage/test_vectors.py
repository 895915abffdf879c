"""vectors.db: what was put is found again, however many packs it takes, and a file of another time
is replaced.
"""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.storage import vectors
from companion.storage.vectors import Vectors

ROWS = [(f"{n:040x}", bytes([n, n + 1])) for n in range(11)]


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Vectors]:
    monkeypatch.setattr(vectors, "PACK", 4)
    store = Vectors(str(tmp_path / "state" / "vectors.db"), "light")
    yield store
    store.close()


def _with_rows(folder: Path) -> Path:
    """Return the path of a new file of vectors that holds ROWS."""
    path = folder / "vectors.db"
    store = Vectors(str(path), "light")
    store.put(ROWS)
    store.close()
    return path


def test_what_was_put_is_found_in_packs_that_fill_up(store: Vectors) -> None:
    store.put(ROWS[:3])
    store.put(ROWS[3:4])
    store.put(ROWS[4:])

    assert [(pack.size, len(pack.vectors)) for pack in store.packs()] == [
        (4, 8),
        (4, 8),
        (3, 6),
    ]
    assert store.some([blob for blob, _ in ROWS]) == dict(ROWS)
    assert store.missing(["new", ROWS[9][0], "other", "new"]) == [
        "new",
        "other",
    ]
    assert store.count() == len(ROWS)


def test_dropping_keeps_what_is_named_and_other_embedders_go_when_told(
    store: Vectors, tmp_path: Path
) -> None:
    store.put(ROWS)
    store.completed("tree")
    store.keep([blob for blob, _ in ROWS[2:8]] + ["unknown"])
    assert (
        store.some([blob for blob, _ in ROWS]) == dict(ROWS[2:8])
        and store.tree() == "tree"
    )

    other = Vectors(str(tmp_path / "state" / "vectors.db"), "semantic")
    assert other.count() == 0 and other.tree() is None
    other.put(ROWS[:1])
    other.forget_others()
    assert (store.count(), store.tree(), other.count()) == (0, None, 1)
    other.close()


def test_rows_of_an_earlier_schema_go_and_an_unreadable_file_is_replaced(
    tmp_path: Path,
) -> None:
    path = tmp_path / "vectors.db"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE vectors (embedder TEXT, blob TEXT, vector BLOB)")
    db.close()
    Vectors(str(path), "light").close()
    tables = (
        sqlite3.connect(path)
        .execute("SELECT name FROM sqlite_master WHERE name = 'vectors'")
        .fetchall()
    )
    assert tables == []

    path.write_bytes(b"no database, but long enough to be taken for one" * 100)
    store = Vectors(str(path), "light")
    assert store.count() == 0
    store.close()


def test_a_file_that_another_process_holds_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _with_rows(tmp_path)
    connect = sqlite3.connect
    monkeypatch.setattr(
        vectors.sqlite3,
        "connect",
        lambda path, **more: connect(path, **{**more, "timeout": 0}),
    )
    holder = connect(path, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        Vectors(str(path), "light")
    holder.execute("ROLLBACK")
    holder.close()
    again = Vectors(str(path), "light")
    assert again.count() == len(ROWS), (
        "hours of embedding were thrown away because somebody else was reading"
    )
    again.close()


def test_a_disk_that_refuses_costs_no_vector(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _with_rows(tmp_path)

    def full(self: Vectors) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(Vectors, "_prepare", full)
    with pytest.raises(sqlite3.OperationalError, match="full"):
        Vectors(str(path), "light")
    monkeypatch.undo()
    again = Vectors(str(path), "light")
    assert again.count() == len(ROWS)
    again.close()
