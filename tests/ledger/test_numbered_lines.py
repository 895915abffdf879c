"""Which lines of a note have a number, and which claims stand on them."""

import pytest

from companion.language.claims.extract import LightExtractor
from companion.ledger.numbered_lines import NumberedLines, count_listed

CITY = "The capital of Zed is Foo."


@pytest.mark.parametrize(
    ("mark", "number"),
    [
        ("7.", 7),
        ("12)", 12),
        ("(3)", 3),
        ("[40]", 40),
        ("#5", 5),
        ("- 8.", 8),
        ("No. 9:", 9),
        ("Fact 0:", 0),
    ],
)
def test_a_number_before_the_words_is_the_lines(mark: str, number: int) -> None:
    text = f"{mark} {CITY}"
    claims = LightExtractor().extract(text, event_time="2026-01-01T00:00:00Z")
    lines = NumberedLines(text)

    assert [lines.number(claim).number for claim in claims] == [number]
    assert lines.range == (number, number)


@pytest.mark.parametrize("text", [CITY, f"1990 {CITY}", f"3.5 {CITY}"])
def test_other_digits_are_no_number_of_a_line(text: str) -> None:
    assert NumberedLines(text).range is None


def test_a_line_without_a_number_has_none_of_the_line_before() -> None:
    text = f"4. Something.\n{CITY}"
    claims = LightExtractor().extract(text, event_time="2026-01-01T00:00:00Z")
    lines = NumberedLines(text)

    assert {lines.number(claim).number for claim in claims} == {None}


def test_a_list_of_numbered_facts_is_told_from_prose_with_a_list() -> None:
    facts = "\n".join(
        f"{n}. The capital of Zed{n} is Foo{n}." for n in range(9)
    )
    assert count_listed(facts) == 9
    assert count_listed(f"Facts to remember:\n\n{facts}") == 9
    assert count_listed("\n".join(facts.splitlines()[:4])) == 0
    prose = "We walked for hours and nobody said a word.\n" * 5
    assert count_listed(f"{prose}{facts}") == 0
    essay = "\n".join(f"{n}. {'word ' * 80}" for n in range(9))
    assert count_listed(essay) == 0
