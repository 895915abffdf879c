"""Which notes are one series, when it begins, and which value a note corrects."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.pages.series_table import format_table, read_rows
from companion.subjects.series import (
    DatedValue,
    Series,
    belongs_to,
    complete_correction,
    find_corrected,
    group_series,
    read_correction,
    read_dated_value,
    row_of,
)

WEIGHTS = [
    ("2026-11-20 07:10", "81.2 kg this morning"),
    ("2026-11-21 07:05", "Gewicht 80,9"),
    ("2026-11-22 07:12", "I weighed 178 lbs"),
]


def dated(*notes: tuple[str, str]) -> list[DatedValue]:
    values: list[DatedValue] = []
    for number, (when, words) in enumerate(notes, 1):
        value = read_dated_value(f"{number:012x}", when, words)
        assert value is not None, words
        values.append(value)
    return values


def only(values: list[DatedValue]) -> Series:
    [series] = group_series(values)
    return series


def test_three_values_on_two_days_begin_a_series() -> None:
    series = only(dated(*WEIGHTS))

    assert series.begins
    assert series.key == "weight"
    assert series.reason == "3 values of one quantity on 3 days"
    assert [value.words for value in series.values] == [n for _, n in WEIGHTS]


@pytest.mark.parametrize(
    "whens",
    [
        ["2026-11-20 07:10", "2026-11-21 07:10"],
        ["2026-11-20 07:10", "2026-11-20 12:10", "2026-11-20 18:10"],
    ],
)
def test_two_values_or_one_day_begin_none(whens: list[str]) -> None:
    notes = [(when, "weight 81 kg") for when in whens]

    assert not only(dated(*notes)).begins


def test_the_title_is_the_quantity_in_the_language_of_the_notes() -> None:
    german = dated(("2026-11-20", "Gewicht 81"), ("2026-11-21", "Gewicht 80"))
    english = dated(("2026-11-20", "weight 81"), ("2026-11-21", "weight 80"))
    own = dated(("2026-11-20", "heizung Zählerstand 48213"))

    assert (only(german).title, only(german).language) == ("Gewicht", "de")
    assert (only(english).title, only(english).language) == ("Weight", "en")
    assert only(own).title == "Heizung Zählerstand"


def test_two_kinds_of_unit_are_two_series_and_a_bare_value_goes_with_most() -> (
    None
):
    values = dated(
        ("2026-11-20", "Stromzähler 48213 kWh"),
        ("2026-11-21", "Stromzähler 48220 kWh"),
        ("2026-11-22", "Stromzähler 48230"),
        ("2026-11-23", "Stromzähler: 37 °C"),
    )

    energy, warmth = group_series(values)

    assert energy.key == "stromzähler (energy)"
    assert energy.values == tuple(values[:3])
    assert warmth.values == (values[3],)
    assert not belongs_to(values[3], energy)
    assert belongs_to(values[2], energy)


@given(st.permutations(dated(*WEIGHTS, ("2026-11-22", "BP 132/85"))))
def test_series_do_not_depend_on_the_order(values: list[DatedValue]) -> None:
    assert group_series(values) == group_series(sorted(values))


def test_values_become_rows_of_one_table() -> None:
    series = only(dated(*WEIGHTS))

    rows = [row_of(value) for value in series.values]

    assert read_rows(format_table(rows, series.language)) == rows


CORRECTIONS = [
    ("no, 80.2", "weight"),
    ("No, 80.2 kg", "weight"),
    ("correction: 80.2 kg", "weight"),
    ("Correction: weight 80.2", "weight"),
    ("sorry, I meant 80.2 kg", "weight"),
    ("weight 80.2 kg (corrected)", "weight"),
    ("not 81.2 but 80.2", "weight"),
    ("80.2 kg, not 81.2", "weight"),
    ("nein, 80,2", "weight"),
    ("Korrektur: Gewicht 80,2", "weight"),
    ("nicht 81,2 sondern 80,2", "weight"),
    ("Gewicht nicht 81,2, sondern 80,2 kg", "weight"),
    ("80,2 statt 81,2", "weight"),
    ("no, 131/84", "blood pressure"),
    ("Tippfehler: Blutdruck 131/84", "blood pressure"),
]


@pytest.mark.parametrize(("words", "key"), CORRECTIONS)
def test_a_correction_finds_the_value_of_the_day(words: str, key: str) -> None:
    values = dated(
        ("2026-11-21 07:10", "80.0 kg this morning"),
        ("2026-11-22 07:10", "81.2 kg this morning"),
        ("2026-11-22 07:15", "BP 132/85"),
    )

    correction = read_correction(words)

    assert correction is not None
    corrected = find_corrected(correction, "2026-11-22", values)
    assert corrected is not None
    assert corrected.day == "2026-11-22"
    assert corrected.measurement.key == key
    assert complete_correction(correction, corrected).key == key


@pytest.mark.parametrize(
    "words",
    [
        "80.2 kg this morning",
        "Gewicht 80,2",
        "No. 12",
        "no 12",
        "no, Anna lives in Bergen",
        "sorry, I am late",
        "not 3 but 4 kids came",
        "Korrektur: der Zug fährt um 9",
        "nicht Oslo sondern Bergen",
        "correction",
    ],
)
def test_other_notes_correct_no_value(words: str) -> None:
    assert read_correction(words) is None


def test_a_correction_means_no_value_of_another_day_size_or_quantity() -> None:
    values = dated(("2026-11-21 07:10", "81.2 kg this morning"))
    today = dated(("2026-11-22 07:10", "81.2 kg this morning"))

    def meant(words: str, among: list[DatedValue]) -> DatedValue | None:
        correction = read_correction(words)
        assert correction is not None
        return find_corrected(correction, "2026-11-22", among)

    assert meant("no, 80.2", values) is None
    assert meant("no, 5", today) is None
    assert meant("not 79.2 but 80.2", today) is None
    assert meant("correction: pulse 64", today) is None
    assert meant("no, 80.2", today) == today[0]
