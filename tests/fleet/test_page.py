"""The page of many shards shows what was measured, and a row of an engine replaces its older one."""

from tests.bench.fleet_page import (
    PAGE,
    RESULTS,
    Row,
    read_rows,
    read_weeks,
    write_page,
    write_rows,
)

ROW = Row("ray", "2", 64, 16, 2, 50.0, 40.0, 100, 90.0, 2.5, 0, 0, "0" * 8, "d")


def test_the_page_says_what_is_recorded() -> None:
    text = RESULTS.read_text("utf-8")
    rows = read_rows(text)
    weeks = read_weeks(text)
    assert write_rows(rows, weeks) == text
    assert PAGE.read_text("utf-8") == write_page(rows, weeks)


def test_the_week_came_out_as_serial_nights_and_its_rows_as_the_indexes() -> (
    None
):
    weeks = read_weeks(RESULTS.read_text("utf-8"))
    assert weeks
    for week in weeks:
        assert (week.differing, week.set_aside) == (0, 0)
    for place in filter(None, (week.place for week in weeks)):
        assert (place["differing"], place["differing_after_drop"]) == (0, 0)


def test_no_tree_differs_however_many_workers_were_killed() -> None:
    for row in read_rows(RESULTS.read_text("utf-8")):
        assert row.differing == 0 and row.set_aside == 0


def test_a_row_says_how_fast_it_was_and_what_was_killed() -> None:
    page = write_page([ROW], [])
    assert (
        "| ray 2 | elsewhere | 64 | 16 | 50.0 s | 40.0 s (1.25 of serial speed)"
        in page
    )
    assert "python -m tests.bench.fleet ray --shards 64 --elsewhere" in page
