"""A sample of `python -m tests.fuzz`, and what it has found."""

import pytest

from companion.errors import CompanionError
from tests.fuzz.__main__ import feed
from tests.fuzz.page import (
    PAGE,
    RESULTS,
    read_runs,
    write_page,
    write_runs,
)
from tests.fuzz.parsers import PARSERS, Parser


@pytest.mark.parametrize("name", PARSERS)
def test_no_damage_breaks_a_parser(name: str) -> None:
    feed(PARSERS[name], 1, 60)


@pytest.mark.slow
@pytest.mark.parametrize("name", PARSERS)
def test_thousands_of_damages_break_no_parser(name: str) -> None:
    for start in range(10, 30):
        feed(PARSERS[name], start, 400)


@pytest.mark.parametrize("name", PARSERS)
def test_the_corpus_is_good(name: str) -> None:
    parser = PARSERS[name]
    for data in parser.corpus:
        parser.read(data)


def test_what_breaks_a_parser_is_found() -> None:
    def fragile(data: bytes) -> int:
        return data.index(b"a")

    with pytest.raises(ValueError, match="not found"):
        feed(Parser(fragile, (b"a note",)), 1, 200)

    def refuses(data: bytes) -> None:
        raise CompanionError("no")

    feed(Parser(refuses, (b"a note",)), 1, 20)


def test_the_page_says_what_is_recorded() -> None:
    text = RESULTS.read_text("utf-8")
    runs = read_runs(text)
    assert write_runs(runs) == text
    assert PAGE.read_text("utf-8") == write_page(runs)
