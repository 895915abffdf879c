"""Search: pages and pending captures in one order, and no query that breaks it."""

import sqlite3
from collections.abc import Iterator

import pytest

from companion.storage.index import schema as index
from companion.storage.index.ranking.bm25 import score_bm25
from companion.storage.index.ranking.query import (
    Statistics,
    list_selective,
    read_query,
    read_statistics,
)
from companion.storage.index.search.passages import find_passages
from companion.storage.index.search.pending import find_pending
from companion.storage.index.terms import split_phrases, split_words
from companion.storage.journal.journal import Journal
from companion.values.captures import Capture, Sighting


@pytest.fixture
def journal(tmp_path: object) -> Iterator[Journal]:
    journal = Journal.open(f"{tmp_path}/journal.db")
    yield journal
    journal.close()


def add(
    journal: Journal,
    text: str,
    title: str | None = None,
    when: str = "2026-11-01T00:00:00.000000Z",
) -> str:
    id = f"{len(journal.ids()):064x}"
    journal.begin()
    journal.add(
        Capture(id, "0" * 40, when, "cli", 0.5, title, (), text.encode()),
        Sighting(id, when, when, False, None, "cli", None, "shared"),
    )
    journal.commit()
    return id


def find(journal: Journal, query: str, limit: int = 10) -> list[str]:
    asked = read_query(None, query)
    stats = read_statistics(None, asked.phrases)
    hits = find_pending(journal.connection, asked, stats, limit)
    return [hit.id for hit in hits]


def test_a_pending_capture_is_found_by_any_of_its_words(
    journal: Journal,
) -> None:
    oat, milk = add(journal, "Buy oat milk"), add(journal, "The milk is off")
    assert find(journal, "milk oat") == [oat, milk]
    assert set(find(journal, "milk")) == {oat, milk}
    assert find(journal, "oat price") == [oat]
    assert find(journal, "nothing of that") == []


def test_a_pending_capture_is_found_by_any_form_of_a_word(
    journal: Journal,
) -> None:
    city = add(journal, "The cities of the north are cold")
    garden = add(journal, "Der Gärtner pflegt die Gärten und den Zaun")
    assert find(journal, "city") == [city]
    assert find(journal, "garten") == find(journal, "Gärten") == [garden]


def test_text_beyond_ascii_does_not_hide_the_rest(journal: Journal) -> None:
    add(journal, "Übrigens: café")
    oat = add(journal, "Buy oat milk")
    assert find(journal, "oat price") == [oat]


def test_a_title_weighs_more_than_the_body(journal: Journal) -> None:
    body = add(journal, "about the heron and much else")
    title = add(journal, "something and much else here", "Heron")
    add(journal, "neither")
    assert find(journal, "heron") == [title, body]


def test_cjk_and_diacritics_are_found(journal: Journal) -> None:
    cjk, accent = (
        add(journal, "明日は東京の天気がいい"),
        add(journal, "Crème brûlée"),
    )
    assert find(journal, "東京") == [cjk]
    assert find(journal, "京東") == []
    assert find(journal, "creme brulee") == [accent]


def test_a_settled_capture_is_no_longer_pending(journal: Journal) -> None:
    id = add(journal, "oat milk")
    journal.settle([id])
    assert find(journal, "oat") == []


def test_the_newest_telling_dates_it(journal: Journal) -> None:
    id = add(journal, "oat milk")
    later = "2027-01-01T00:00:00.000000Z"
    journal.begin()
    journal._add_sighting(
        Sighting(id, later, later, False, None, "cli", None, "shared")
    )
    journal.commit()
    asked = read_query(None, "oat")
    stats = read_statistics(None, asked.phrases)
    hits = find_pending(journal.connection, asked, stats, 1)
    assert hits[0].time == later


NASTY = [
    '"',
    '""',
    "*",
    "a-b",
    "NEAR(",
    "x:y",
    "AND",
    "OR NOT",
    "'; drop table entries; --",
    str(2**63),
    "nul\0nul",
    "[bold]",
    "\x1b]52;c;eA==\x07",
    "javascript:alert(1)",
    "(" * 2000,
    "漢" * 5000,
    " ".join(map(str, range(20_000))),
    "%",
    "_",
    "\\",
    "a" * 100_000,
    "\u202e",
    "\ufeff",
]


@pytest.mark.parametrize("query", NASTY, ids=range(len(NASTY)))
def test_no_query_breaks_it(journal: Journal, query: str) -> None:
    add(journal, "漢字 and words")
    add(journal, "plain AND x y")
    db = index.open_in_memory()
    index.add_indexes(db)
    asked = read_query(db, query)
    stats = read_statistics(db, asked.phrases)
    find_passages(db, asked, stats, query, 10, None)
    find_pending(journal.connection, asked, stats, 10)


def test_bm25_is_what_fts5_computes() -> None:
    texts = [
        "oat milk and oat flakes",
        "milk",
        "a longer text with milk in it and many other words besides",
        "bread",
    ]
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE fts USING fts5(title, body)")
    db.executemany(
        "INSERT INTO fts VALUES (?, ?)", [("note", text) for text in texts]
    )
    query = split_phrases("oat flakes")
    tokens = sum(len(split_words(text)) + 1 for text in texts)
    stats = Statistics(len(texts), tokens, {("oat",): 1, ("flakes",): 1})
    theirs = dict(
        db.execute(
            "SELECT rowid, -bm25(fts, 5.0, 1.0) FROM fts WHERE fts MATCH 'oat OR flakes'"
        ).fetchall()
    )
    ours = {
        n: score_bm25(["note"], split_words(text), query, stats)
        for n, text in enumerate(texts, 1)
    }
    assert {n: score for n, score in ours.items() if score} == pytest.approx(
        theirs
    )


def test_words_of_most_passages_are_left_out_of_the_first_look() -> None:
    frequency = {("shed",): 3, ("key",): 5, ("shed", "key"): 6}
    stats = Statistics(9, 90, frequency)
    assert list_selective(list(frequency), stats) == [
        ("shed",),
        ("shed", "key"),
    ]
