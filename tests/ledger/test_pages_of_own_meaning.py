"""Two clubs have a rehearsal each: what is told on one page is none of the other's (LED-3)."""

import json
import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest

from companion.ledger.resolve import (
    find_pages_of_own_meaning,
    list_protected_entries,
    open_rule_book,
)
from companion.storage.index import isolation, schema
from companion.storage.index.tables.claims import RecordedClaim
from companion.values.claims import Assertion, Way

KEY = ("rehearsal", "is on")
CHOIR, BAND, HALL = "c" * 12, "b" * 12, "d" * 12
WHEN = "2026-03-01T00:00:00.000000Z"


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    db = schema.open_in_memory()
    for entry, title in ((CHOIR, "Choir"), (BAND, "Band"), (HALL, "Hall")):
        add_page(db, entry, title)
    yield db
    db.close()


def add_page(
    db: sqlite3.Connection, entry: str, title: str, **more: Any
) -> None:
    row = {
        "id": entry,
        "path": f"{title}.md",
        "title": title,
        "state": "active",
        "commit_hash": "0" * 40,
        "blob": "1" * 40,
        **more,
    }
    marks = ", ".join("?" * len(row))
    query = f"INSERT INTO entries ({', '.join(row)}) VALUES ({marks})"
    db.execute(query, tuple(row.values()))


def claim(value: str, entry: str, **more: Any) -> RecordedClaim:
    more.setdefault("functional", False)
    id = f"{value} {entry} {sorted(more.items())}"
    assertion = Assertion(id, KEY, value, WHEN, WHEN, **more)
    told = ("Rehearsal", "is on", value, f"note {id}")
    return RecordedClaim(assertion, *told, entry, (0, 1), "rule")


def change(value: str, entry: str) -> RecordedClaim:
    """From now on it is so: what two plain tellings alone do not need."""
    return claim(value, entry, functional=True, change=True)


def test_a_change_belongs_to_the_page_on_which_it_is_told(
    db: sqlite3.Connection,
) -> None:
    choir, band = claim("tuesday", CHOIR), claim("friday", BAND)
    moved = change("thursday", CHOIR)
    elsewhere = change("sunday", HALL)
    told = [choir, band, moved, elsewhere]
    assert find_pages_of_own_meaning(db, told) == {
        choir.assertion.id: CHOIR,
        band.assertion.id: BAND,
        moved.assertion.id: CHOIR,
    }


def test_a_third_page_that_tells_it_plainly_means_its_own_too(
    db: sqlite3.Connection,
) -> None:
    told = [
        claim("tuesday", CHOIR),
        claim("friday", BAND),
        claim("monday", HALL),
        change("thursday", CHOIR),
    ]
    pages = find_pages_of_own_meaning(db, told)
    assert set(pages.values()) == {CHOIR, BAND, HALL}


@pytest.mark.parametrize(
    "told",
    [
        # nothing changed: both may be so
        [claim("tuesday", CHOIR), claim("friday", BAND)],
        # one page alone told it
        [claim("tuesday", CHOIR), change("thursday", CHOIR)],
        # both mean the same
        [
            claim("tuesday", CHOIR),
            claim("tuesday", BAND),
            change("friday", CHOIR),
        ],
        # there is one, however it is told
        [
            claim("tuesday", CHOIR),
            claim("friday", BAND),
            claim("sunday", CHOIR, functional=True),
            change("thursday", CHOIR),
        ],
        # a possibility and a denial state no value
        [
            claim("tuesday", CHOIR),
            claim("friday", BAND, mood="tentative"),
            change("thursday", CHOIR),
        ],
        [
            claim("tuesday", CHOIR),
            claim("friday", BAND, negated=True),
            change("thursday", CHOIR),
        ],
        # on no page at all
        [
            claim("tuesday", CHOIR),
            claim("friday", ""),
            change("thursday", CHOIR),
        ],
    ],
)
def test_where_no_two_pages_mean_things_of_their_own(
    db: sqlite3.Connection, told: list[RecordedClaim]
) -> None:
    assert find_pages_of_own_meaning(db, told) == {}


@pytest.mark.parametrize(
    ("title", "more"),
    [("Rehearsal notes", {}), ("Club", {"tombstone": 1})],
)
def test_the_page_of_the_thing_itself_and_one_that_is_gone_do_not_count(
    db: sqlite3.Connection, title: str, more: dict[str, Any]
) -> None:
    page = "e" * 12
    add_page(db, page, title, **more)
    told = [
        claim("tuesday", CHOIR),
        claim("friday", page),
        change("thursday", CHOIR),
    ]
    assert find_pages_of_own_meaning(db, told) == {}


def test_the_book_has_the_settings_and_what_is_load_bearing(
    db: sqlite3.Connection,
) -> None:
    query = "INSERT INTO protected VALUES ('eeeeeeeeeeee', 'run')"
    db.execute(query)
    ways = [["is on", "policy", ["anna"]]]
    trust = [["anna", 2.0]]
    schema.write_meta(db, claims=json.dumps(ways), trust=json.dumps(trust))
    book = open_rule_book(isolation.view_without_transaction(db))
    assert book.ways == {"is on": Way("policy", ("anna",))}
    assert book.trust == [("anna", 2.0)]
    assert book.guarded == list_protected_entries(db) == {"e" * 12}


def test_a_book_without_settings_is_empty(db: sqlite3.Connection) -> None:
    book = open_rule_book(isolation.view_without_transaction(db))
    assert (book.ways, book.trust, book.choices) == ({}, [], [])
