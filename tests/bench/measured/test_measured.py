"""Pages of several benches show what is recorded, in the place of each table."""

import pytest

from tests.bench.listing import strip_list
from tests.bench.measured.__main__ import choose
from tests.bench.measured.page import (
    ORIGIN,
    Measures,
    Table,
    fill_places,
    find_results,
    list_places,
    read_measures,
    strip_places,
    write_results,
)
from tests.bench.measured.tables import (
    BENCHES,
    Found,
    show_milliseconds,
    show_shards,
)
from tests.made import QUALITY

PAGE = "# P\n\n<!-- measured: a -->\nold\n<!-- end -->\n\nWords.\n"
TABLE = Table("python -m x", "0" * 8, "2026-01-01", [1], ["n"], [["7"]])


@pytest.mark.parametrize("page", BENCHES)
def test_a_page_says_what_is_recorded(page: str) -> None:
    measures = read_measures(page)
    assert write_results(measures) == find_results(page).read_text("utf-8")
    text = (QUALITY / f"{page}.md").read_text("utf-8")
    assert fill_places(text, measures) == text


@pytest.mark.parametrize("page", BENCHES)
def test_a_page_has_a_place_for_each_table_and_no_other_figures(
    page: str,
) -> None:
    text = (QUALITY / f"{page}.md").read_text("utf-8")
    assert sorted(list_places(text)) == sorted(
        [ORIGIN, *read_measures(page).tables]
    )
    assert "\n|" not in strip_list(strip_places(text))


def test_a_place_is_written_anew_and_the_words_stay() -> None:
    filled = fill_places(PAGE, Measures("p", {"a": TABLE}))
    assert "old" not in filled
    assert "| 7 |\n\nBy `python -m x` on 2026-01-01, after 00000000." in filled
    assert filled.endswith("<!-- end -->\n\nWords.\n")
    assert fill_places(filled, Measures("p", {"a": TABLE})) == filled


def test_a_place_without_a_record_stays() -> None:
    assert fill_places(PAGE, Measures("p", {})) == PAGE


def test_what_a_person_wrote_down_says_so() -> None:
    by_hand = TABLE._replace(how="written down by hand")
    filled = fill_places(PAGE, Measures("p", {"a": by_hand}))
    assert "2026-01-01, after 00000000; written down by hand." in filled
    assert "how" not in write_results(Measures("p", {"a": TABLE}))
    assert '"how": ' in write_results(Measures("p", {"a": by_hand}))


def test_the_last_table_dates_the_page() -> None:
    later = TABLE._replace(date="2026-02-01", commit="1" * 8)
    measures = Measures("p", {"b": later, "a": TABLE})
    assert measures.origin[1:] == ("1" * 8, "2026-02-01")


def test_figures_become_words() -> None:
    assert show_milliseconds("page", {"a": 1.25}) == Found(
        ["page", "ms of CPU"], [("a", "1.2")]
    )
    first, *_, last = show_shards(3600, 1000).rows
    assert first[3:] == ("1.0", "0.1")
    assert last[3:] == ("1,000.0", "100.0")


def test_some_tables_of_a_bench_may_be_published_alone() -> None:
    tables = {"seconds": TABLE, "bytes": TABLE}
    assert choose(tables, ["bytes"]) == {"bytes": TABLE}
    assert choose(tables, None) == tables
