"""Databases of other programs, from their bytes."""

import sqlite3

import pytest

from companion.storage.foreign import Damaged, ForeignDatabase, is_database


def _make(tmp_path, *statements: str, log: bool = False) -> bytes:
    path = tmp_path / "a.db"
    db = sqlite3.connect(path)
    if log:
        db.execute("PRAGMA journal_mode=WAL")
    for statement in statements:
        db.execute(statement)
    db.commit()
    db.close()
    return path.read_bytes()


def test_rows_come_in_the_order_in_which_they_were_added(tmp_path):
    content = _make(
        tmp_path,
        'CREATE TABLE "odd ""name" (a TEXT, b INTEGER)',
        'INSERT INTO "odd ""name" VALUES (\'x\', 1), (NULL, 2)',
    )
    with ForeignDatabase(content) as database:
        rows = list(database.rows('odd "name', ("a", "b", "missing")))

    assert [row.values for row in rows] == [
        {"a": "x", "b": 1},
        {"a": None, "b": 2},
    ]


def test_a_database_with_a_write_ahead_log_is_read(tmp_path):
    content = _make(
        tmp_path,
        "CREATE TABLE t (a TEXT)",
        "INSERT INTO t VALUES ('x')",
        log=True,
    )

    with ForeignDatabase(content) as database:
        assert [row.values["a"] for row in database.rows("t", ("a",))] == ["x"]


def test_a_view_is_no_table_and_a_missing_table_has_no_rows(tmp_path):
    content = _make(
        tmp_path,
        "CREATE TABLE t (a)",
        "CREATE VIEW v AS SELECT randomblob(1000000) AS a",
    )
    with ForeignDatabase(content) as database:
        assert database.columns("v") == frozenset()
        assert list(database.rows("v", ("a",))) == []
        assert list(database.rows("nothing", ("a",))) == []


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\0", b"x" * 200])
def test_other_bytes_are_damaged(content):
    with pytest.raises(Damaged):
        ForeignDatabase(content)
    assert is_database(content) == content.startswith(b"SQLite")


def test_no_function_of_a_foreign_schema_is_called(tmp_path):
    content = _make(
        tmp_path,
        "CREATE TABLE t (a TEXT, b TEXT AS (json_extract(a, '$.x')) VIRTUAL)",
        "INSERT INTO t (a) VALUES ('{\"x\": 1}')",
    )
    with ForeignDatabase(content) as database:
        rows = list(database.rows("t", ("a",)))
        assert rows[0].values == {"a": '{"x": 1}'}
        # `table_info` lists no virtual columns
        assert database.columns("t") == {"a"}


def test_a_virtual_table_is_not_opened(tmp_path):
    content = _make(
        tmp_path,
        "CREATE VIRTUAL TABLE words USING fts5(w)",
        "CREATE TABLE t (a)",
    )
    with ForeignDatabase(content) as database:
        assert database.columns("words") == frozenset()
        assert database.columns("t") == {"a"}
