"""Links are found by either of their keys, though only one of two equal keys is indexed."""

import itertools

import pytest

from companion.storage.index import schema
from companion.storage.index.tables.pages.links import (
    list_entries_with_unresolved_link,
)

KEYS = ("", "mooring", "mooring lines", "quay")


def test_an_unresolved_link_is_found_by_each_pair_of_keys() -> None:
    db = schema.open_in_memory()
    schema.add_indexes(db)
    pairs = list(itertools.product(KEYS, repeat=2))
    for n, (base, title) in enumerate(pairs):
        path = f"{n:02d}.md"
        db.execute(
            "INSERT INTO links VALUES (?, ?, 'link', ?, ?, NULL)",
            (path, title, base, title),
        )
        db.execute(
            """
            INSERT INTO entries (id, path, title, state, commit_hash, blob)
            VALUES (?, ?, ?, 'active', '', '')
            """,
            (f"e{n:02d}", path, title),
        )
    for base, title in pairs:
        expected = [
            f"e{n:02d}"
            for n, (b, t) in enumerate(pairs)
            if b == base or t == title
        ]
        assert list_entries_with_unresolved_link(db, base, title) == expected


@pytest.mark.parametrize(
    ("condition", "index"),
    [
        ("base_key = 'quay'", "links_base"),
        ("title_key = 'quay' AND title_key <> base_key", "links_title"),
    ],
)
def test_each_key_has_an_index(condition: str, index: str) -> None:
    db = schema.open_in_memory()
    schema.add_indexes(db)
    query = f"EXPLAIN QUERY PLAN SELECT rowid FROM links WHERE {condition}"
    assert index in str(db.execute(query).fetchall())
