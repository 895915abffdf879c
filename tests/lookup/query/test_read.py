"""How a query is read: its marks and fields, and that any text is one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.lookup.query.read import MOST, read_query
from companion.storage.index.search.wanted import Request, Term

#: what the reader of times knows here
TIMES = {"last week": "2026-11-16", "2026": "2026-01-01", "may": "2026-05-01"}


def read(text: str) -> Request:
    return read_query(text, TIMES.get).request


def misread(text: str) -> list[str]:
    return [one["text"] for one in read_query(text, TIMES.get).not_understood]


def test_plain_words_demand_nothing() -> None:
    for text in (
        "garden gate",
        "e-mail, a/b; (c) [d] {e} ^f AND NOT NEAR(x y)",
    ):
        assert read(text) == Request(text)
        assert misread(text) == []


@pytest.mark.parametrize(
    "text", ['"garden gate"', "“garden gate”", "„garden gate“", "«garden gate»"]
)
def test_a_phrase_stands_in_quotation_marks_of_any_kind(text: str) -> None:
    assert read(text) == Request(
        "garden gate", ((Term("phrase", "garden gate"),),)
    )


def test_a_star_ends_a_beginning() -> None:
    assert read("gard*") == Request("gard", ((Term("prefix", "gard"),),))
    assert misread("ga*te") == ["ga*te"]
    assert misread("*gate") == ["*gate"]


def test_a_minus_leaves_out() -> None:
    request = read('gate -wood -"old iron" -tag:shed')
    assert request.words == "gate"
    assert request.without == (
        Term("word", "wood"),
        Term("phrase", "old iron"),
        Term("tag", "shed"),
    )
    assert read("oat-milk well - known -5").without == ()
    assert misread("-wood") == ["-"]
    assert read("-wood") == Request("")


def test_or_joins_what_stands_beside_it() -> None:
    pair = (Term("word", "cat"), Term("word", "dog"))
    assert read("fence cat OR dog").groups == (pair,)
    assert read("fence cat OR dog").words == "fence cat dog"
    for text in ("OR", "cat OR", "OR dog", "cat or dog"):
        assert read(text).groups == (), text


def test_fields_are_no_words() -> None:
    request = read('tag:#garden in:"Shed plan" source:Anna gate')
    assert request.words == "gate"
    assert [group[0] for group in request.groups] == [
        Term("tag", "garden"),
        Term("in", "Shed plan"),
        Term("source", "Anna"),
    ]
    assert misread("tag: garden") == ["tag:"]
    assert misread("state:sleeping") == ["state:sleeping"]
    assert misread("foo:bar") == ["foo:bar"]
    assert read("foo:bar").words == "foo:bar"
    assert misread("https://example.org at 12:30") == []


def test_a_time_takes_the_words_that_belong_to_it() -> None:
    request = read("since:last week gate before:2026")
    assert request.words == "gate"
    assert [group[0] for group in request.groups] == [
        Term("since", "2026-11-16"),
        Term("before", "2026-01-01"),
    ]
    assert read('since:"last week" gate').words == "gate"
    assert misread("since:whenever gate") == ["since:whenever"]


def test_a_question_is_its_words() -> None:
    text = 'What does "shed" mean -- tag:x since:may?'
    reading = read_query(text, TIMES.get, plain=True)
    assert reading == (Request(text), [])


def test_a_mark_without_its_second_one_is_said() -> None:
    assert misread('"garden gate') == ['"garden']
    assert read('"garden gate').words == "garden gate"
    assert read('5" pipe') == Request('5" pipe')


def test_of_a_long_text_the_beginning_is_read() -> None:
    reading = read_query("a " * MOST, TIMES.get)
    assert len(reading.request.words) <= MOST
    assert "first 10,000 characters" in reading.not_understood[0]["why"]


_MARKS = st.sampled_from(
    [
        '"',
        "-",
        "OR",
        " ",
        "*",
        "tag:",
        "since:",
        "x:",
        "a",
        "é",
        "漢",
        "\0",
        "5",
    ]
)


@given(st.lists(_MARKS, max_size=30).map("".join) | st.text(max_size=60))
def test_any_text_is_a_query(text: str) -> None:
    reading = read_query(text, TIMES.get)

    again = read_query(reading.request.words, TIMES.get, plain=True)
    assert again.request.is_plain
    assert len(reading.not_understood) <= 6
    for group in reading.request.groups:
        assert group and all(term.text for term in group)
