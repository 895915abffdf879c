"""The numbers that a source gives its own statements: which of them counts, and when none does."""

from typing import Any

from companion.ledger.declared_order import list_outnumbered
from companion.ledger.settlement import Rules, settle
from companion.values.claims import Assertion, Declared

KEY = ("acme", "director")


def told(
    value: str, number: int, note: tuple[int, int], at: int, **more: Any
) -> Assertion:
    """Return *value*, as number *number* of a note that counts from *note*[0] to *note*[1]."""
    time = f"2026-01-{at:02}T00:00:00.000000Z"
    declared = Declared(number, *note, note=more.pop("capture", str(note)))
    source = more.pop("source", "registry")
    valid_from = more.pop("valid_from", time)
    return Assertion(
        f"{value}{at}",
        KEY,
        value,
        time,
        valid_from,
        source=source,
        declared=declared,
        **more,
    )


def standing(*told: Assertion) -> set[str]:
    return {
        each.assertion.value
        for each in settle(told, Rules())
        if each.status == "active"
    }


def test_the_higher_number_counts_whichever_came_last() -> None:
    assert standing(
        told("eve", 12, (10, 19), 1), told("adam", 7, (0, 9), 2)
    ) == {"eve"}


def test_within_one_note_the_number_counts_and_not_the_line() -> None:
    assert standing(told("eve", 2, (1, 2), 1), told("adam", 1, (1, 2), 1)) == {
        "eve"
    }


def test_a_list_that_begins_anew_says_nothing_about_an_older_one() -> None:
    assert standing(told("eve", 2, (1, 2), 1), told("adam", 1, (1, 1), 2)) == {
        "adam"
    }


def test_the_same_numbers_in_two_notes_are_two_lists() -> None:
    first = told("eve", 2, (1, 2), 1, capture="may")
    second = told("adam", 1, (1, 2), 2, capture="july")

    assert standing(first, second) == {"adam"}


def test_numbers_of_two_sources_are_not_compared() -> None:
    eve, adam = (
        told("eve", 12, (12, 12), 1),
        told("adam", 7, (7, 7), 2, source="mail"),
    )

    assert list_outnumbered([eve, adam]) == {}


def test_a_time_that_was_said_goes_before_a_number() -> None:
    assert standing(
        told("eve", 12, (12, 12), 1, given=True),
        told("adam", 7, (7, 7), 2, given=True),
    ) == {"adam"}


def test_of_one_time_that_was_said_the_number_decides() -> None:
    day = "2025-12-01T00:00:00.000000Z"
    assert standing(
        told("eve", 12, (12, 12), 1, given=True, valid_from=day),
        told("adam", 7, (7, 7), 2, given=True, valid_from=day),
    ) == {"eve"}


def test_the_loser_says_by_which_numbers_it_lost() -> None:
    eve, adam = told("eve", 12, (12, 12), 1), told("adam", 7, (7, 7), 2)

    assert list_outnumbered([eve, adam]) == {
        adam.id: "number 7 of its source, and number 12 says otherwise"
    }
