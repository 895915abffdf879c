"""The gravity pass: one that is taken over says what a fresh one would, and edges are read alike
whatever ids are.
"""

import sqlite3
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.config import Config
from companion.gravity import formula, topology
from companion.gravity.measure import GraphWithoutEntry, weigh_entries
from companion.storage.index import schema as index
from companion.storage.index.tables.gravity import read_graph, read_pass

NAMES = st.sampled_from("abcdefgh")
STEPS = st.one_of(
    st.tuples(st.just("link"), NAMES, NAMES),
    st.tuples(st.just("unlink"), NAMES, NAMES),
    st.tuples(st.just("quarantine"), NAMES, st.booleans()),
    st.tuples(
        st.just("state"),
        NAMES,
        st.sampled_from(("active", "decaying", "archived")),
    ),
    st.tuples(st.just("go"), NAMES, st.booleans()),
    st.tuples(st.just("factor"), NAMES, st.sampled_from((0.5, 1.0))),
    st.tuples(st.just("edit"), NAMES, st.just("")),
    st.tuples(st.just("source"), NAMES, st.just("")),
)


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    db = made("abcdefgh")
    yield db
    db.close()


def made(names: Any) -> sqlite3.Connection:
    db = index.open_in_memory()
    for name in names:
        db.execute(
            "INSERT INTO entries (id, path, title, state, commit_hash, blob) VALUES (?1, ?1,"
            " ?1, 'active', '', '')",
            (name,),
        )
    return db


def make_source(db: sqlite3.Connection, name: str) -> None:
    """Let the page *name* be one of a source that a night read."""
    db.execute(
        "INSERT OR REPLACE INTO readings (run, original, key, entry, kind, cold, title, media_type,"
        " reader, depth, spans, at, n) VALUES ('r', ?1, ?1, ?1, 'document', '', ?1, '', '', '',"
        " '[]', '', 0)",
        (name,),
    )


def act(
    db: sqlite3.Connection,
    step: tuple[str, str, Any],
    factors: dict[str, float],
) -> None:
    kind, name, value = step
    if kind == "source":
        make_source(db, name)
    elif kind == "link":
        db.execute(
            "INSERT OR IGNORE INTO edges VALUES (?, ?, 'link', 1)",
            (name, value),
        )
    elif kind == "unlink":
        db.execute(
            "DELETE FROM edges WHERE source = ? AND target = ?", (name, value)
        )
    elif kind == "factor":
        factors[name] = value
    # as the fold does: the rows go and come back as they were
    elif kind == "edit":
        db.execute(
            "UPDATE entries SET blob = blob || 'x' WHERE id = ?", (name,)
        )
    else:
        column = {
            "quarantine": "quarantined",
            "state": "state",
            "go": "tombstone",
        }[kind]
        db.execute(
            f"UPDATE entries SET {column} = ? WHERE id = ?", (value, name)
        )


def weighed(
    db: sqlite3.Connection, tree: str, factors: dict[str, float]
) -> tuple[Any, ...]:
    """Weigh; return the pass and all it left in the index."""
    tonight: Any = SimpleNamespace(
        db=db,
        tree=tree,
        config=Config(),
        ws=SimpleNamespace(now=lambda: "2026-11-22T00:00:00Z"),
    )
    found = weigh_entries(tonight, dict(factors))
    rows = db.execute("SELECT * FROM gravity ORDER BY entry").fetchall()
    return (
        found,
        rows,
        db.execute("SELECT id, gravity FROM entries ORDER BY id").fetchall(),
    )


@settings(deadline=None)
@given(st.lists(st.lists(STEPS, max_size=3), min_size=1, max_size=6))
def test_a_pass_that_is_taken_over_says_what_a_fresh_one_would(
    nights: list[list[tuple[str, str, Any]]],
) -> None:
    db, factors = made("abcdefgh"), dict[str, float]()
    for n, steps in enumerate(nights):
        for step in steps:
            act(db, step, factors)
        found = weighed(db, f"tree {n}", factors)
        db.execute("DELETE FROM meta WHERE key = 'gravity'")
        assert weighed(db, f"tree {n}", factors) == found
    db.close()


def test_the_same_graph_on_another_tree_is_not_weighed_again(
    db: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    act(db, ("link", "a", "b"), {})
    first = weighed(db, "one", {})
    with monkeypatch.context() as patch:
        patch.setattr(
            topology,
            "measure",
            lambda *graph: pytest.fail("the graph is as it was"),
        )
        act(db, ("edit", "a", ""), {})
        assert weighed(db, "two", {}) == first
    assert (read_pass(db) or {})["tree"] == "two"

    for step in (
        ("link", "c", "b"),
        ("quarantine", "c", True),
        ("state", "d", "archived"),
        ("factor", "b", 0.5),
    ):
        before, factors = weighed(db, f"before {step}", {}), dict[str, float]()
        act(db, step, factors)
        assert weighed(db, f"after {step}", factors) != before


@given(
    st.sampled_from(
        (
            st.text("abc", min_size=2, max_size=2),
            st.text("abé", min_size=1, max_size=3),
        )
    ).flatmap(lambda ids: st.lists(ids, min_size=1, max_size=8, unique=True)),
    st.lists(
        st.tuples(
            st.integers(0, 9),
            st.integers(0, 9),
            st.sampled_from((1.0, 1.0, 2.0)),
        )
    ),
)
def test_edges_are_read_alike_whatever_their_ids_and_weights(
    names: list[str], edges: list[tuple[int, int, float]]
) -> None:
    """Ids of one length and edges of one weight take a short cut; "zz" and "z" are no entries."""
    db, ends = made(names), [*sorted(names), "zz", "z"]
    rows = {
        (ends[a % len(ends)], ends[b % len(ends)]): weight
        for a, b, weight in edges
    }
    db.executemany(
        "INSERT INTO edges VALUES (?, ?, 'link', ?)",
        ((*pair, weight) for pair, weight in rows.items()),
    )

    found = read_graph(db, formula.KINDS)
    place = {name: n for n, name in enumerate(found.ids)}
    expected = sorted(
        (place[a], place[b], w)
        for (a, b), w in rows.items()
        if a in place and b in place
    )
    assert (
        sorted(zip(*(column.tolist() for column in found[1:4]), strict=True))
        == expected
    )
    db.close()


@given(st.lists(STEPS, max_size=25))
def test_without_an_entry_everything_weighs_what_a_pass_over_the_rest_gives(
    steps: list[tuple[str, str, Any]],
) -> None:
    db, factors = made("abcdefgh"), dict[str, float]()
    for step in steps:
        act(db, step, factors)
    db.execute("INSERT INTO runs VALUES ('r', 'settle', '', '{}', '{}')")
    db.executemany(
        "INSERT INTO factors VALUES (?, 'r', ?, NULL, '')", factors.items()
    )
    suspended = GraphWithoutEntry(db)
    for name in "abcdefgh":
        rest = index.open_in_memory()
        db.backup(rest)
        rest.execute("DELETE FROM entries WHERE id = ?", (name,))
        rest.execute("DELETE FROM edges WHERE ? IN (source, target)", (name,))
        weighed(rest, "the rest", factors)

        assert (
            list(suspended.without(name))
            == rest.execute("SELECT * FROM gravity ORDER BY entry").fetchall()
        )
        rest.close()
    db.close()


def link(db: sqlite3.Connection, source: str, target: str) -> None:
    db.execute("INSERT INTO edges VALUES (?, ?, 'link', 1.0)", (source, target))


def list_edges(db: sqlite3.Connection) -> list[tuple[str, str]]:
    graph = read_graph(db, formula.KINDS)
    ends = zip(graph.tails.tolist(), graph.heads.tolist(), strict=True)
    return sorted((graph.ids[tail], graph.ids[head]) for tail, head in ends)


def test_links_of_a_source_count_once_a_page_of_the_person_rests_on_it(
    db: sqlite3.Connection,
) -> None:
    for name in "ab":
        make_source(db, name)
    link(db, "a", "c")
    link(db, "a", "d")
    link(db, "b", "a")
    # another source that cites it is no page of the person
    assert list_edges(db) == []

    link(db, "e", "a")
    assert list_edges(db) == [("a", "c"), ("a", "d"), ("e", "a")]


def test_a_quarantined_page_is_no_reason_to_count_the_links_of_a_source(
    db: sqlite3.Connection,
) -> None:
    make_source(db, "a")
    link(db, "a", "c")
    link(db, "e", "a")
    db.execute("UPDATE entries SET quarantined = 1 WHERE id = 'e'")
    assert list_edges(db) == []
