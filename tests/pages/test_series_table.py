"""The table of a series: what is written is read again, and what a person did to it stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.pages.series_table import (
    Row,
    add_row,
    find_row,
    fits_row,
    format_table,
    has_table,
    mark_corrected,
    read_rows,
    remove_row,
    replace_row,
)

FIRST = Row("a" * 12, "2026-11-21 07:10", "81.2 kg", "81.2 kg this morning")
SECOND = Row("b" * 12, "2026-11-22 07:12", "80,9", "Gewicht 80,9")
THIRD = Row("c" * 12, "2026-11-23", "80.4 kg", "weight 80.4 kg")

ids = st.text("0123456789abcdef", min_size=12, max_size=12)
words = (
    st.text(
        st.characters(
            codec="utf-8",
            exclude_characters="|\u2028\u2029",
            exclude_categories=["Cc", "Cs"],
        ),
        max_size=40,
    )
    .map(lambda text: f"Weight {text}")
    .filter(fits_row)
)


@st.composite
def some_rows(draw: st.DrawFn, least: int = 0) -> list[Row]:
    """Rows of one series with ids of their own."""
    rows: list[Row] = []
    for id in draw(st.lists(ids, min_size=least, max_size=6, unique=True)):
        day = draw(st.integers(1, 28))
        minute = draw(st.sampled_from(["", " 07:10", " 18:30"]))
        value = draw(st.sampled_from(["81.2 kg", "80,9", "132/85"]))
        rows.append(Row(id, f"2026-11-{day:02}{minute}", value, draw(words)))
    return rows


def in_order(rows: list[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: (row.when, row.id))


def add_all(text: str, rows: list[Row]) -> str:
    for row in rows:
        grown = add_row(text, row)
        assert grown is not None
        text = grown
    return text


def test_a_table_reads_as_people_write_one() -> None:
    assert format_table([SECOND, FIRST]) == (
        "| When | Value | Note | Source |\n"
        "| --- | --- | --- | --- |\n"
        '| 2026-11-21 07:10 | 81.2 kg | "81.2 kg this morning" | ^aaaaaaaaaaaa |\n'
        '| 2026-11-22 07:12 | 80,9 | "Gewicht 80,9" | ^bbbbbbbbbbbb |\n'
    )


def test_the_header_is_in_the_language_of_the_notes() -> None:
    assert format_table([], "de").startswith("| Wann | Wert | Notiz | Quelle")
    assert format_table([], "fr").startswith("| When |")


@given(some_rows())
def test_what_is_written_is_read_again(rows: list[Row]) -> None:
    assert read_rows(format_table(rows)) == in_order(rows)


@given(
    some_rows(),
    st.randoms(use_true_random=False),
    st.sampled_from(["\n", "\r\n"]),
)
def test_rows_added_in_any_order_make_one_table(
    rows: list[Row], random: object, eol: str
) -> None:
    start = ("# Weight\n\n" + format_table([]) + "\nMy own line.\n").replace(
        "\n", eol
    )
    mixed = list(rows)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    whole = ("# Weight\n\n" + format_table(rows) + "\nMy own line.\n").replace(
        "\n", eol
    )

    assert add_all(start, mixed) == add_all(start, rows) == whole


@given(some_rows(least=1))
def test_an_added_row_is_removed_without_a_trace(rows: list[Row]) -> None:
    *others, last = rows
    before = "Before.\n\n" + format_table(others) + "\nBehind.\n"

    grown = add_row(before, last)

    assert grown is not None
    assert remove_row(grown, last) == before


@given(some_rows(least=2))
def test_a_correction_is_written_and_taken_back(rows: list[Row]) -> None:
    old, new = rows[:2]
    before = format_table(rows)
    marked = mark_corrected(old, new)

    after = replace_row(before, old, marked)

    assert after is not None
    assert find_row(after, old.id) == marked
    assert old.words in after
    assert replace_row(after, marked, old) == before


@given(some_rows(), st.text(max_size=60))
def test_no_text_makes_it_raise(rows: list[Row], text: str) -> None:
    for mixed in (text, text + "\n" + format_table(rows) + text):
        read_rows(mixed)
        add_row(mixed, FIRST)
        remove_row(mixed, FIRST)
        replace_row(mixed, FIRST, SECOND)


def test_a_corrected_value_is_struck_through_and_links_the_other() -> None:
    text = format_table([FIRST, SECOND])

    text = replace_row(text, FIRST, mark_corrected(FIRST, SECOND)) or ""

    assert "| ~~81.2 kg~~ [[#^bbbbbbbbbbbb\\|80,9]] |" in text
    assert '"81.2 kg this morning"' in text


@pytest.mark.parametrize(
    "words", ["a | b", "two\nlines", "", " ", "81 kg ^a1b2c3d4e5f6", "81 kg\r"]
)
def test_words_that_a_row_cannot_hold_stay_a_block(words: str) -> None:
    assert not fits_row(words)


def test_a_row_is_added_once() -> None:
    text = format_table([FIRST])

    assert add_row(text, FIRST._replace(value="1 kg")) == text


def test_rows_and_columns_of_a_person_stay() -> None:
    text = (
        "| When | Mood | Value | Note | Source |\n"
        "|:--|--|--:|--|--|\n"
        '| 2026-11-21 07:10 | tired |  81.2 kg | "81.2 kg this morning" | ^aaaaaaaaaaaa |\n'
        "| in between | | 81? | from the gym | |\n"
    )

    grown = add_all(text, [THIRD, SECOND])

    lines = grown.splitlines()
    assert lines[:3] == text.splitlines()[:3]
    assert (
        lines[3]
        == '| 2026-11-22 07:12 |  | 80,9 | "Gewicht 80,9" | ^bbbbbbbbbbbb |'
    )
    assert lines[5] == text.splitlines()[3]
    assert read_rows(grown) == [FIRST, SECOND, THIRD]
    corrected = replace_row(grown, FIRST, mark_corrected(FIRST, SECOND))
    assert corrected is not None
    assert "| tired | ~~81.2 kg~~" in corrected


def test_a_row_that_a_person_edited_is_neither_removed_nor_replaced() -> None:
    text = format_table([FIRST, SECOND]).replace("| 81.2 kg |", "| 82.1 kg |")

    assert remove_row(text, FIRST) is None
    assert replace_row(text, FIRST, mark_corrected(FIRST, SECOND)) is None
    assert find_row(text, FIRST.id) == FIRST._replace(value="82.1 kg")


def test_a_row_with_a_persons_remark_is_not_removed() -> None:
    text = (
        "| When | Value | Note | Source | Remark |\n| --- | --- | --- | --- | --- |\n"
        '| 2026-11-21 07:10 | 81.2 kg | "81.2 kg this morning" | ^aaaaaaaaaaaa | after a party |\n'
    )

    assert remove_row(text, FIRST) is None


def test_renamed_headers_are_found_by_their_ids() -> None:
    text = (
        format_table([FIRST]).replace("When", "Morning").replace("Note", "Said")
    )

    assert read_rows(add_row(text, SECOND) or "") == [FIRST, SECOND]


def test_other_tables_and_code_are_no_series() -> None:
    table = format_table([FIRST])

    assert not has_table("| Name | Age |\n| --- | --- |\n| Anna | 34 |\n")
    assert not has_table(f"```\n{table}```\n")
    assert add_row("No table.\n", FIRST) is None
