"""Which lines are warnings of what is harmful, and which passages one finds (row 3)."""

import json

import pytest

from companion.routing.signals import (
    MAX_BYTES,
    Signal,
    find_passages,
    list_terms,
    parse_signals,
)

BY = {"by": "the poison centre", "why": "it burns the throat"}
CLAIM = {"claim": "bleach cures colds", **BY}


def line(**fields: object) -> bytes:
    return json.dumps(fields).encode()


def test_a_line_is_a_signal_and_blank_lines_are_none() -> None:
    data = b"\n".join((line(**CLAIM), b"", b"  ", line(entry="Queue", **BY)))
    found, problems = parse_signals(data)
    assert found == [
        Signal("", "bleach cures colds", BY["by"], BY["why"]),
        Signal("Queue", "", BY["by"], BY["why"]),
    ]
    assert not problems


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        (b"{", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "not a JSON object"),
        (line(**CLAIM, colour=1, age=2), "unknown keys: age, colour; known: "),
        (line(claim="bleach cures", by="me"), "`by` and `why` must"),
        (line(claim="bleach cures", why="so"), "`by` and `why` must"),
        (line(**BY), "`entry` or `claim` must"),
        (line(claim="bleach", **BY), "`claim` needs at least 2 words"),
        (line(**{**CLAIM, "by": 5}), "by must be a text of one line"),
        (line(**{**CLAIM, "by": "a\nb"}), "by must be a text of one line"),
        (line(**{**CLAIM, "why": "x" * 301}), "why must be a text of one line"),
    ],
)
def test_a_line_that_is_none_is_named_and_the_rest_counts(
    bad: bytes, problem: str
) -> None:
    data = b"\n".join((line(**CLAIM), bad, line(**CLAIM)))
    found, problems = parse_signals(data)
    assert len(found) == 2 and len(problems) == 1
    assert problems[0].startswith(f"line 2: {problem}")


@pytest.mark.parametrize(
    "good",
    [
        {**CLAIM, "why": "x" * 300},
        {"claim": "bleach cures", **BY},
        {"entry": "Queue", **CLAIM},
    ],
)
def test_what_is_just_long_enough_is_a_signal(good: dict[str, str]) -> None:
    found, problems = parse_signals(line(**good))
    assert len(found) == 1 and not problems


def test_of_unknown_keys_the_first_eighty_characters_are_named() -> None:
    _, (problem,) = parse_signals(line(**CLAIM, **{"k" * 90: 1}))
    assert problem.endswith("; known: entry, claim, by, why")
    assert problem.count("k" * 80) == 1 and "k" * 81 not in problem


def test_spaces_are_no_words() -> None:
    found, _ = parse_signals(line(**{**CLAIM, "why": "  it   burns "}))
    assert found[0].why == "it burns"
    _, problems = parse_signals(line(**{**CLAIM, "by": "   "}))
    assert "must say who warns" in problems[0]


def test_a_flood_is_cut_and_said_so() -> None:
    many = b"\n".join([line(**CLAIM)] * 1002)
    found, problems = parse_signals(many)
    assert len(found) == 1000
    assert problems == [
        "line 1001: more than 1000 signals",
        "line 1002: more than 1000 signals",
    ]


def test_a_file_that_is_too_large_says_nothing() -> None:
    assert MAX_BYTES == 1_000_000
    good = line(**CLAIM)
    whole = good + b" " * (MAX_BYTES - len(good))
    assert len(parse_signals(whole)[0]) == 1
    found, problems = parse_signals(whole + b" ")
    assert not found and problems == ["it is larger than 1000 kB"]


def test_a_signal_says_who_warns_and_has_a_name_of_its_own() -> None:
    one = Signal("Queue", "", "the vendor", "it loses events.")
    assert one.said == "flagged by the vendor: it loses events."
    assert len(one.id) == 12
    assert one.id == Signal(*one).id
    assert one.id != one._replace(why="it loses notes").id


@pytest.mark.parametrize(
    ("claim", "text", "found"),
    [
        ("bleach cures colds", "They say Bleach cures colds!", True),
        ("bleach cures colds", "Bleach cures all colds.", False),
        ("bleach cures colds", "Bleach. Cures colds.", False),
        ("bleach * colds", "Bleach surely cures the colds.", True),
        ("bleach * colds", "Bleach colds.", True),
        ("bleach * colds", "Colds and bleach.", False),
        ("* bleach cures *", "We know that bleach cures a lot.", True),
        ("each cures", "Bleach cures.", False),
    ],
)
def test_the_words_of_a_claim_stand_in_their_order(
    claim: str, text: str, found: bool
) -> None:
    assert bool(list(find_passages(claim, text))) is found


def test_a_passage_is_found_alone() -> None:
    text = "Honey is fine.\n\nBleach cures colds.\n\nTea is fine."
    (passage,) = find_passages("bleach cures colds", text)
    assert "Bleach" in passage and "Tea" not in passage


def test_terms_are_the_words() -> None:
    assert list(list_terms("bleach * colds")) == ["bleach", "colds"]
