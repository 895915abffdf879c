"""Words: whatever folding our side does, the full-text index must agree with it."""

import sqlite3
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.storage.index.terms import (
    LONGEST,
    MAX_TERMS,
    fold_text,
    make_searchable,
    split_phrases,
    split_words,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Café", "cafe"),
        ("STRASSE", "Straße"),
        ("ΟΔΟΣ", "οδος"),
        ("İstanbul", "istanbul"),
        ("Ångström", unicodedata.normalize("NFD", "angström")),
        ("한국어", unicodedata.normalize("NFD", "한국어")),
        ("שָׁלוֹם", "שלום"),
        ("محمّد", "محمد"),
        ("Ёлка", "елка"),
    ],
)
def test_words_that_people_take_for_the_same_are(one: str, other: str) -> None:
    assert split_words(one) == split_words(other) != []


def test_scripts_without_spaces_are_read_by_character() -> None:
    assert split_words("東京の天気") == list("東京の天気")
    assert split_phrases("東京 weather 東京") == [("東", "京"), ("weather",)]
    assert split_phrases("한국어 공부") == [("한국어",), ("공부",)]


def test_voiced_kana_are_not_plain_ones() -> None:
    assert split_words("が") != split_words("か")


def test_ascii_is_parted_at_all_that_is_no_letter_and_no_digit() -> None:
    for code in range(128):
        sign = chr(code)
        parts = ["x", "y"]
        if sign.isalnum():
            parts = [f"x{sign.lower()}y"]
        assert split_words(f"x{sign}y") == parts
    assert split_words(" -- snake_case, don't!\0") == [
        "snake",
        "case",
        "don",
        "t",
    ]


def test_ascii_text_is_handed_on_as_it_is() -> None:
    text = "Nothing to do HERE"
    assert make_searchable(text) is text


def test_a_query_of_any_size_stays_small() -> None:
    assert (
        len(split_phrases(" ".join(f"w{n}" for n in range(20_000))))
        == MAX_TERMS
    )
    assert max(map(len, split_phrases("漢" * 20_000))) == LONGEST


@pytest.mark.parametrize(
    "query", ["", '"', "*", "NEAR(", "' --", "\0", "\udcff", "—…!?", "_"]
)
def test_a_query_without_words_has_no_terms(query: str) -> None:
    assert split_phrases(query) in ([], [("near",)])


@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold_text(fold_text(text)) == fold_text(text)


# characters that nobody writes, and that SQLite counts as letters
_UNUSED = ("Cn", "Co", "Cs")
scripts = st.text(
    st.one_of(
        st.characters(
            min_codepoint=0x20, max_codepoint=0x24F, exclude_categories=_UNUSED
        ),
        st.characters(
            min_codepoint=0x370, max_codepoint=0x6FF, exclude_categories=_UNUSED
        ),
        st.sampled_from("हिन्दी ไทย 日本語 がぎ 한국어 שָׁלוֹם ß ς İ œ ﬁ ½ ² _ -"),
    ),
    max_size=30,
)


@given(scripts)
def test_every_word_of_a_text_finds_it_in_the_index(text: str) -> None:
    db = sqlite3.connect(":memory:")
    db.execute(
        "CREATE VIRTUAL TABLE fts USING fts5(body, content='', tokenize='unicode61"
        " remove_diacritics 2')"
    )
    db.execute(
        "INSERT INTO fts(rowid, body) VALUES (1, ?)", (make_searchable(text),)
    )
    for phrase in split_phrases(text):
        found = db.execute(
            "SELECT rowid FROM fts WHERE fts MATCH ?",
            ('"' + " ".join(phrase) + '"',),
        ).fetchall()
        assert found == [(1,)], phrase
