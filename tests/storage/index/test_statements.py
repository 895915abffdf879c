"""Statements in the index: what pages and the ledger say of them together."""

import sqlite3
from pathlib import Path

import pytest

from companion.pages import ids
from companion.pages.statement_edits import add_statement, put_mentions
from companion.pages.statements import Mention
from companion.storage.index import schema
from companion.storage.index.folding import fold_ledger
from companion.storage.index.folding.relate_branches import relate_branches
from companion.storage.index.tables import minority
from companion.storage.index.tables.pages import statements
from companion.storage.index.tables.pages.names import list_comparable_sides
from companion.storage.index.tables.questions import list_questions
from companion.storage.ledger_file import RunRecord
from companion.storage.ledger_lines import list_wrong_fields
from tests.wiki import Wiki

CAPTURE = "a" * 64
OTHER = "b" * 64
DAY = ids.subject_id("day", "2026-11-22")
ANNA = ids.subject_id("subject", "anna")


def fold_run(db: sqlite3.Connection, name: str, *events: dict) -> None:
    lines = [{"reason": "r", **event} for event in events]
    now = f"{name}T00:00:00Z"
    record = RunRecord(name, {"operation": "consolidate", "now": now}, lines)
    fold_ledger.apply_run(db, record)


def consumed(capture: str, entry: str, **more: object) -> dict:
    telling = {"seen_at": "2026-11-22T09:14:00Z"}
    return {
        "e": "consumed",
        "capture": capture,
        "outcome": "consolidated",
        "entry": entry,
        "sightings": [telling],
        **more,
    }


@pytest.fixture
def db() -> sqlite3.Connection:
    return schema.open_in_memory()


def test_a_moved_statement_belongs_to_its_new_page(db):
    fold_run(db, "2026-11-22", consumed(CAPTURE, DAY))
    fold_run(
        db,
        "2026-11-23",
        {"e": "moved", "capture": CAPTURE, "entry": ANNA, "from": DAY},
    )

    query = "SELECT entry, told_at FROM consumed WHERE capture = ?"
    row = db.execute(query, (CAPTURE,)).fetchone()
    assert row == (ANNA, "2026-11-22T09:14:00Z")


def test_mentions_name_where_a_note_matters_too(db):
    fold_run(
        db,
        "2026-11-22",
        consumed(CAPTURE, DAY, mentions=[ANNA]),
        consumed(OTHER, ANNA, mentions=[DAY]),
    )

    assert statements.list_captures_mentioning(db, ANNA) == [CAPTURE]
    assert statements.list_mentioned_entries(db, CAPTURE) == [ANNA]


def test_an_undo_takes_the_states_of_statements_back(db):
    lost = {"e": "statement", "entry": ANNA, "capture": CAPTURE}
    fold_run(db, "2026-11-22", {**lost, "state": "decaying", "by": OTHER})
    undo = {"e": "undone", "run": "2026-11-22", "outcome": "undone"}
    fold_run(db, "2026-11-23", undo)

    rows = db.execute("SELECT state, by, undone FROM statement_states")
    assert rows.fetchall() == [("decaying", OTHER, 1)]


def test_what_a_page_gathers_is_known_by_its_key(db):
    created = {
        "e": "created",
        "entry": DAY,
        "path": "journal/2026/2026-11-22.md",
        "blob": "0" * 40,
        "bucket": "high",
        "quarantined": 0,
        "subject": {"kind": "day", "key": "2026-11-22"},
    }
    fold_run(db, "2026-11-22", created)

    assert statements.find_subject(db, DAY) == (DAY, "day", "2026-11-22")
    assert statements.list_subjects(db, "day") == [(DAY, "day", "2026-11-22")]


def test_a_person_may_say_again_where_a_note_belongs(db):
    said = {"e": "belongs", "capture": CAPTURE, "judge": "owner"}
    fold_run(db, "2026-11-22", {**said, "entry": DAY})
    fold_run(db, "2026-11-23", {**said, "entry": ANNA})

    assert statements.find_belonging(db, CAPTURE) == ANNA


def test_a_question_names_the_statement_that_it_is_against(db):
    flagged = {
        "e": "flagged",
        "flag": "f" * 12,
        "kind": "contradiction",
        "entry": DAY,
        "capture": CAPTURE,
        "other": ANNA,
        "statement": OTHER,
    }
    fold_run(db, "2026-11-22", flagged)

    [question] = list_questions(db)
    assert (question.other, question.statement) == (ANNA, OTHER)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("state", "gone"),
        ("subject", {"kind": "star", "key": "x"}),
        ("subject", {"kind": "day"}),
        ("mentions", "x"),
        ("statement", 1),
    ],
)
def test_malformed_fields_are_named(field, value):
    line = {"e": "statement", "reason": "r", field: value}

    assert list_wrong_fields(line) == [field]


def test_blocks_of_pages_are_indexed_and_derived_lines_are_not(tmp_path: Path):
    text = "---\ntitle: Anna\n---\n"
    text = add_statement(text, CAPTURE[:12], "2026-11-22 09:14", "Kayaks.")
    mention = Mention("2026-11-23", "Paul", OTHER[:12], "Bouldering")
    text = put_mentions(text, [mention], {OTHER[:12]})
    wiki = Wiki.new(tmp_path / "wiki", {"Anna.md": text, "Paul.md": "Paul\n"})
    wiki.consolidate()

    db = schema.open_for_reading(wiki.ws.place.index_db)
    assert db is not None
    rows = db.execute("SELECT page, id, moment, earlier FROM statements")
    assert rows.fetchall() == [("Anna.md", "a" * 12, "2026-11-22 09:14", 0)]
    assert db.execute("SELECT count(*) FROM edges").fetchone() == (0,)
    kinds = db.execute("SELECT target, kind, to_path FROM links").fetchall()
    assert kinds == [("Paul", "mention", "Paul.md")]
    assert wiki.search("kayaks")
    assert not wiki.search("bouldering")
    assert not wiki.search("aaaaaaaaaaaa")


def test_a_note_that_won_and_moved_on_belongs_to_its_last_page(db):
    joined = {
        "e": "joined",
        "branch": "anna-1",
        "capture": CAPTURE,
        "entry": "member",
        "path": ".companion/minority/anna-1/x.md",
        "blob": "0" * 40,
    }
    promoted = {
        "e": "promoted",
        "branch": "anna-1",
        "entry": ANNA,
        "incumbent": ANNA,
        "statement": OTHER,
        "path": "Anna.md",
        "blob": "0" * 40,
        "bucket": "high",
        "quarantined": 0,
        "pages": [],
    }
    opened = {"e": "branched", "branch": "anna-1", "entry": ANNA}
    run = (opened, consumed(CAPTURE, "member"), joined)
    fold_run(db, "2026-11-22", *run)
    fold_run(db, "2026-11-23", promoted)
    relate_branches(db)
    query = "SELECT entry FROM consumed WHERE capture = ?"
    assert db.execute(query, (CAPTURE,)).fetchone() == (ANNA,)

    moved = {"e": "moved", "capture": CAPTURE, "entry": DAY, "from": ANNA}
    fold_run(db, "2026-11-24", moved)
    relate_branches(db)
    assert db.execute(query, (CAPTURE,)).fetchone() == (DAY,)


def test_a_branch_follows_the_statement_that_it_contradicts(db):
    fold_run(db, "2026-11-22", consumed(CAPTURE, DAY))
    opened = {"e": "branched", "branch": "d-1", "entry": DAY}
    fold_run(db, "2026-11-23", {**opened, "statement": CAPTURE})
    moved = {"e": "moved", "capture": CAPTURE, "entry": ANNA, "from": DAY}
    fold_run(db, "2026-11-24", moved)
    relate_branches(db)

    (branch,) = minority.list_branches(db)
    assert (branch.incumbent, branch.statement) == (ANNA, CAPTURE)


def test_a_statement_is_looked_up_and_its_page_is_not_gone_through(
    tmp_path: Path,
):
    """A page of thousands would else cost each look-up a look at all of them."""
    wiki = Wiki.new(tmp_path / "wiki", {"Anna.md": "Anna\n"})
    wiki.consolidate()
    db = schema.open_for_reading(wiki.ws.place.index_db)
    assert db is not None
    queries: list[str] = []
    db.set_trace_callback(queries.append)
    statements.list_statements_of_entry(db, ANNA)
    statements.find_statement_of_capture(db, CAPTURE)
    list_comparable_sides(db, ["0" * 40])
    statements.list_moved_by_hand(db, [ANNA])
    db.set_trace_callback(None)

    for query in [one for one in queries if "consumed" in one]:
        plan = [row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {query}")]
        used = [step for step in plan if step.startswith(("SEARCH", "SCAN"))]
        looked_up = ("consumed_statement", "PRIMARY KEY (capture=?)")
        assert any(name in step for step in used for name in looked_up), plan
        assert not any(step.startswith("SCAN c") for step in used), plan
