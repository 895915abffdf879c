"""The page of benches lists all of them, with the purpose that each states itself."""

from tests.bench.listing import PAGE, list_benches, write_list


def test_the_page_has_the_present_list() -> None:
    page = PAGE.read_text("utf-8")
    assert write_list(page) == page, "python -m tests.bench.listing"


def test_every_bench_says_what_it_is_for() -> None:
    found = {bench.name: bench for bench in list_benches()}
    assert len(found) > 40
    assert [name for name, one in found.items() if len(one.purpose) < 20] == []
    assert found["fleet"].pages == ["fleet"]
    assert "federation" in found["federation"].pages
