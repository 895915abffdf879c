"""Tables as text: every row has a place, and a very long table is sampled."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.sources.documents.sheet import find_delimiter, read_sheet
from companion.sources.documents.tables import format_table, split_table
from tests.sources.samples import load


def test_a_table_keeps_its_rows():
    passages = read_sheet(load("firings.csv"), "firings.csv").passages

    assert [passage.place for passage in passages] == ["rows 2-4"]
    assert passages[0].text.splitlines()[3] == (
        "| 2025-06-09 | Holm | 1190 | burner door cracked, stopped |"
    )


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("a;b\n1,5;2\n2,5;3\n", ";"),
        ("a\tb\n1\t2\n", "\t"),
        ("a,b\n1,2\n", ","),
        ("a|b|c\n1|2|3\n", "|"),
        ("alone\n1\n", ","),
    ],
)
def test_the_delimiter_is_the_one_that_the_lines_agree_on(text, delimiter):
    assert find_delimiter(text) == delimiter


def _count(place: str) -> set[int]:
    first, _, last = place.split()[1].partition("-")
    return set(range(int(first), int(last or first) + 1))


@pytest.mark.parametrize("rows", [1, 2, 40, 41, 42, 4001, 30_000])
def test_every_row_below_the_header_has_a_piece(rows):
    content = "".join(f"a{n},b{n}\n" for n in range(rows)).encode()
    document = read_sheet(content, "x.csv")
    spanned = [_count(passage.place) for passage in document.passages]

    assert sorted(n for piece in spanned for n in piece) == (
        list(range(2, rows + 1)) or [1]
    )
    assert len(document.text) < 400_000
    assert bool(document.warnings) is (rows > 4000)


def test_quoted_cells_may_hold_lines_and_bars():
    text = read_sheet(b'a,b\n"one\ntwo","x|y"\n', "x.csv").text

    assert text.splitlines()[2] == "| one two | x\\|y |"


def test_a_table_of_nothing_is_empty():
    assert split_table([], 0).passages == ()


CELLS = st.lists(
    st.lists(st.text("ab |\n", max_size=5), max_size=4), max_size=9
)


@given(CELLS)
def test_a_table_has_as_many_lines_as_rows(rows):
    assert len(format_table(rows).splitlines()) == (
        len(rows) + 1 if rows else 0
    )
