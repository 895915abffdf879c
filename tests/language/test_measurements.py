"""Notes that are one measurement and nothing else, and two of them that are one series."""

import pytest

from companion.language.measurements import (
    find_difference,
    is_same_series,
    name_of,
    read_measurement,
    read_named_number,
    read_value,
)
from tests.language.measured_notes import (
    DEV_MEASURED,
    DEV_OTHER,
    HELD_MEASURED,
    HELD_OTHER,
    MISSED,
)


@pytest.mark.parametrize(
    ("note", "key", "value"), [*DEV_MEASURED, *HELD_MEASURED]
)
def test_a_measurement_is_read(note: str, key: str, value: str) -> None:
    measured = read_measurement(note)

    if note in MISSED:
        assert measured is None
        return
    assert measured is not None
    assert (measured.key, measured.value) == (key, value)


@pytest.mark.parametrize("note", [*DEV_OTHER, *HELD_OTHER])
def test_nothing_else_is_a_measurement(note: str) -> None:
    assert read_measurement(note) is None


@pytest.mark.parametrize(
    ("note", "numbers", "kind"),
    [
        ("Weight 81.2 kg", (81.2,), "mass"),
        ("Gewicht 80,9", (80.9,), ""),
        ("BP 132/85", (132.0, 85.0), "pair"),
        ("slept 6h40", (24000.0,), "time"),
        ("Schlaf 6:40 h", (2400.0 * 10,), "time"),
        ("slept 7 hours", (25200.0,), "time"),
        ("ran 8 km in 44:10", (8000.0, 2650.0), "length"),
        ("ran 12 km in 1:02:03", (12000.0, 3723.0), "length"),
        ("Schritte: 10.250", (10250.0,), ""),
        ("temperature 38.2 °C", (38.2,), "temperature"),
    ],
)
def test_values_are_numbers_in_base_units(
    note: str, numbers: tuple[float, ...], kind: str
) -> None:
    measured = read_measurement(note)

    assert measured is not None
    assert measured.numbers == pytest.approx(numbers)
    assert measured.kind == kind


def test_the_occasion_is_kept_beside_the_value() -> None:
    measured = read_measurement("BP 128/81 after the run")

    assert measured is not None
    assert measured.quantity == "BP"
    assert measured.occasion == "after the run"
    assert measured.language == "en"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("81.2 kg this morning", "Gewicht 80,9"),
        ("81.2 kg this morning", "I weighed 179 lbs this morning"),
        ("blood pressure 132/85", "RR 128/81 mmHg"),
        ("ran 8 km in 44:10", "5,2 km gelaufen"),
        ("Heizung Zählerstand 48213", "Heizung Zählerstand 48290"),
        ("slept 6h40", "7.5 hours of sleep"),
    ],
)
def test_two_values_of_one_quantity_are_one_series(
    one: str, other: str
) -> None:
    assert is_same_series(one, other)
    assert is_same_series(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Weight 81.2 kg", "Blutdruck 131/84"),
        ("Heizung Zählerstand 48213", "Gas Zählerstand 48290"),
        ("Weight 81.2 kg", "Anna weighs more than Paul"),
        ("Room 12", "Room 14"),
        ("Stromzähler 48.213 kWh", "Stromzähler: 37 °C"),
    ],
)
def test_other_notes_are_no_series(one: str, other: str) -> None:
    assert not is_same_series(one, other)


def test_two_kinds_of_unit_are_two_series_with_a_reason() -> None:
    energy = read_measurement("Stromzähler 48.213 kWh")
    warmth = read_measurement("Stromzähler: 37 °C")

    assert energy is not None
    assert warmth is not None
    reason = find_difference(energy, warmth)
    assert reason == "two kinds of unit: energy and temperature"


def test_a_value_alone_is_read_only_where_it_may_be_nameless() -> None:
    assert read_measurement("80,2") is None
    value = read_value("80,2")
    assert value is not None
    assert (value.key, value.numbers) == ("", (80.2,))


def test_a_quantity_has_a_name_in_each_language() -> None:
    assert name_of("weight", "de") == "Gewicht"
    assert name_of("weight", "en") == "Weight"
    assert name_of("heizung zählerstand", "de") is None


@pytest.mark.parametrize(
    "note", ["7th level", "user weight on February 5", "engineer level 6"]
)
def test_ranks_and_dates_are_no_values(note: str) -> None:
    assert read_measurement(note) is None


@pytest.mark.parametrize(
    ("text", "is_named"),
    [
        ("Mood: 6", True),
        ("push-ups 25", True),
        ("Staging runs Postgres 15.", False),
        ("Der Server hat Kerne 8", False),
    ],
)
def test_a_sentence_with_a_verb_is_no_name_of_a_number(
    text: str, is_named: bool
) -> None:
    assert (read_named_number(text) is not None) == is_named
