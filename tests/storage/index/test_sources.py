"""Sources in the index: what nights read of originals, handed over, and could not read."""

import sqlite3

import pytest

from companion.pages import ids
from companion.storage.index import schema
from companion.storage.index.tables import sources
from companion.storage.index.tables.sources import Span
from companion.storage.ledger_lines import (
    list_missing_fields,
    list_wrong_fields,
)
from tests.storage.index.test_statements import fold_run

PAPER = "a" * 64
NEWER = "b" * 64
CHAT = "c" * 64
NOTE = "d" * 64
OTHER = "e" * 64
KEY = "https://example.org/paper"
ENTRY = ids.subject_id("source", KEY)


def read_event(original: str = PAPER, **more: object) -> dict:
    return {
        "e": "contextualized",
        "source": KEY,
        "original": original,
        "cold": f"cold-{original[:4]}",
        "entry": ENTRY,
        "kind": "document",
        "title": "The paper",
        "media_type": "text/html",
        "reader": "html-1",
        "depth": "brief",
        "handed": [NOTE],
        "spans": [[0, 12, "lines 1-2"]],
        "url": KEY,
        "reason": "r",
        **more,
    }


def unread_event(**more: object) -> dict:
    return {
        "e": "unread",
        "original": PAPER,
        "code": "encrypted",
        "reader": "pdf-1",
        "hint": "Give it without its password.",
        "origin": "paper.pdf",
        "reason": "it needs a password",
        **more,
    }


@pytest.fixture
def db() -> sqlite3.Connection:
    return schema.open_in_memory()


def test_a_source_is_found_by_every_name_it_has(db):
    fold_run(db, "2026-11-22", read_event(origin="clips/paper.html"))

    for name in (KEY, ENTRY, PAPER, PAPER[:8], "cold-aaaa", "clips/paper.html"):
        found = sources.find_source(db, name)
        assert found is not None, name
        assert found.original == PAPER
        assert found.spans == (Span(0, 12, "lines 1-2"),)
    assert sources.find_source(db, "aa") is None
    assert sources.find_source(db, "elsewhere") is None


def test_the_last_reading_of_a_source_counts(db):
    fold_run(db, "2026-11-22", read_event())
    fold_run(db, "2026-11-23", read_event(NEWER, depth="full text"))

    found = sources.find_source(db, KEY)
    assert found is not None
    assert (found.original, found.depth) == (NEWER, "full text")
    assert [one.original for one in sources.list_sources(db)] == [NEWER]
    assert sources.list_contextualized(db) == {PAPER, NEWER}


def test_an_undone_reading_leaves_its_original_pending(db):
    fold_run(db, "2026-11-22", read_event())
    fold_run(db, "2026-11-23", read_event(NEWER))
    undo = {"e": "undone", "run": "2026-11-23", "outcome": "undone"}
    fold_run(db, "2026-11-24", undo)

    assert sources.list_contextualized(db) == {PAPER}
    assert [one.original for one in sources.list_sources(db)] == [PAPER]
    found = sources.find_source_of_capture(db, NOTE)
    assert found is not None
    assert found.original == PAPER

    redo = {"e": "undone", "run": "2026-11-23", "outcome": "restored"}
    fold_run(db, "2026-11-25", redo)
    assert sources.list_contextualized(db) == {PAPER, NEWER}


def test_the_turns_of_a_conversation_keep_speaker_time_and_order(db):
    at = "2026-11-20T08:00:00.000000Z"
    turns = [
        ["owner", "Anna", at, "turn 1"],
        ["assistant", "ChatGPT", "", "turn 2"],
    ]
    event = read_event(CHAT, kind="chat", handed=[OTHER, NOTE], turns=turns)
    fold_run(db, "2026-11-22", event)

    source = sources.find_source_of_capture(db, OTHER)
    assert source is not None
    assert sources.list_handed(db, source) == [
        (OTHER, "owner", "Anna", at, "turn 1"),
        (NOTE, "assistant", "ChatGPT", "", "turn 2"),
    ]


def test_what_was_read_at_last_is_no_longer_unread(db):
    fold_run(db, "2026-11-22", unread_event())
    (waiting,) = sources.list_unread(db)
    assert (waiting.code, waiting.hint) == (
        "encrypted",
        "Give it without its password.",
    )

    fold_run(db, "2026-11-23", unread_event(code="truncated"))
    assert [one.code for one in sources.list_unread(db)] == ["truncated"]

    fold_run(db, "2026-11-24", read_event())
    assert sources.list_unread(db) == []


def test_an_owner_decides_on_a_locked_original(db):
    locked = {"e": "locked", "original": PAPER, "kinds": ["aws-key"]}
    fold_run(db, "2026-11-22", {**locked, "reader": "pdf-1"})
    (one,) = sources.list_locked(db)
    assert (one.kinds, one.choice) == (("aws-key",), None)

    released = {"e": "released", "original": PAPER, "choice": "keep"}
    fold_run(db, "2026-11-23", released)
    assert [one.choice for one in sources.list_locked(db)] == ["keep"]


def test_a_foreign_file_is_checked():
    assert list_missing_fields({**read_event(), "v": 1}) == []
    assert list_wrong_fields(read_event()) == []
    wrong = {
        "spans": [[0, "x", "page 1"]],
        "handed": "one",
        "turns": [["owner", "Anna"]],
        "source": 4,
    }
    assert sorted(list_wrong_fields(read_event(**wrong))) == sorted(wrong)


def test_turns_that_a_foreign_file_lacks_are_empty(db):
    event = read_event(CHAT, kind="chat", handed=[OTHER, NOTE], turns=[])
    fold_run(db, "2026-11-22", event)
    source = sources.find_source(db, CHAT)
    assert source is not None
    assert [one.role for one in sources.list_handed(db, source)] == ["", ""]
