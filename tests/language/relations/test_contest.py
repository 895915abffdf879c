"""The lower bar of load-bearing pages: who contests them in other words, who does not, and for
which position.
"""

import pytest

from companion.language.relations.contest import (
    CONTESTED,
    LightContest,
    are_rivals,
    find_contest,
    is_same_position,
    takes_position,
)
from companion.values.relations import Statement
from tests.bench import challengers as bench

LAMP = Statement(
    "The pier lamp is kept by the warden.\nIts glass is from Lund.", "Pier lamp"
)
PORT = Statement("The scale reads on channel 4021.", "Lorry scale")
HEAD = Statement(
    "The kiln house is run by Mara Odell.\nIt fires every week.", "Kiln house"
)


def contests(page: Statement, text: str, title: str | None = None) -> bool:
    return find_contest(page, Statement(text, title)).strength >= CONTESTED


@pytest.mark.parametrize(
    ("page", "text"),
    [
        (PORT, "The lorry scale reads on channel 5077."),
        (
            PORT,
            "Behind the cover of the [[Lorry scale]] channel 5077 is printed.",
        ),
        (PORT, "The lorry scale does not read on channel 4021."),
        (PORT, "It is a myth that the lorry scale reads on channel 4021."),
        (HEAD, "The kiln house is run by Oskar Lind."),
        (HEAD, "Oskar Lind runs the kiln house."),
        (HEAD, "Mara Odell doesn't run the kiln house."),
        (LAMP, "The harbour boy keeps the pier lamp."),
    ],
)
def test_denials_and_other_values_in_other_words_contest(
    page: Statement, text: str
) -> None:
    assert contests(page, text)


@pytest.mark.parametrize(
    ("page", "text"),
    [
        (PORT, "The lorry scale reads on channel 4021, as printed."),
        (PORT, "The lorry scale was painted in 2019."),
        (PORT, "The kitchen scale reads on channel 5077."),
        (
            PORT,
            "Since May the lorry scale no longer reads on channel 4021 but on channel 5077.",
        ),
        (
            PORT,
            "The lorry scale was switched from channel 4021 to channel 5077.",
        ),
        (HEAD, "Oskar Lind slept in the kiln house."),
        (HEAD, "The kiln house does not need a chimney."),
        (HEAD, "The pump house is run by Oskar Lind."),
        (LAMP, "A gull sat on the pier lamp."),
    ],
)
def test_what_agrees_is_beside_the_point_or_states_a_change_does_not(
    page: Statement, text: str
) -> None:
    assert not contests(page, text)


def test_words_of_change_that_the_belief_is_about_state_no_change() -> None:
    work = Statement(
        "Night work reduces the output of the forge.", "Night work"
    )
    assert contests(
        work,
        "The ledger shows that night work increases the output of the forge.",
    )
    assert contests(work, "Night work does not reduce the output of the forge.")


def test_what_a_topic_is_may_be_another_name() -> None:
    page = Statement("The forge master is Anselm.", "Forge master")
    assert contests(
        page, "The forge master is Bertram, the bill says."
    ) and contests(page, "Anselm is not the forge master.")
    assert not contests(page, "The forge master saw Bertram at the fair.")


def test_a_note_may_name_its_topic_in_its_title() -> None:
    assert contests(
        PORT, "It reads on channel 5077.", "Lorry scale"
    ) and not contests(PORT, "It reads on channel 5077.")


def test_a_date_of_telling_is_no_value() -> None:
    one, other = (
        find_contest(
            PORT,
            Statement(
                f"The lorry scale reads on channel 5077, as of the {day}."
            ),
        )
        for day in ("2nd", "5th")
    )
    assert one.note_value == other.note_value and one.note_value


def test_positions_are_compared_by_what_takes_the_place() -> None:
    notes = [f"The lorry scale reads on channel {n}." for n in (5077, 6012)]
    one, other = (find_contest(PORT, Statement(text)) for text in notes)
    assert (
        one.note_value == {"5077"}
        and one.page_value == {"4021"}
        and are_rivals(one, other, *notes)
    )
    assert takes_position(
        one, Statement("My log of the lorry scale came in through 5077."), PORT
    )
    assert not takes_position(
        one, Statement("My log of the lorry scale came in through 6012."), PORT
    )
    assert not takes_position(
        one, Statement("The lorry scale has 4021 and 5077 printed on it."), PORT
    )
    assert not takes_position(
        one, Statement("The kitchen scale has 5077 printed on it."), PORT
    )


def test_the_judge_says_contradicts_with_its_reason_and_never_quotes() -> None:
    ((said),) = LightContest().relate(
        [(HEAD, Statement("The kiln house is run by Oskar Lind."))]
    )
    assert (
        said.label == "contradicts"
        and said.opposition >= CONTESTED
        and said.update == 0
    )
    assert not {"Oskar", "Lind", "Odell"} & set(said.reason.split())


def test_most_challengers_of_the_worlds_are_found_and_hardly_anything_else() -> (
    None
):
    found = dict.fromkeys(bench.KINDS, 0)
    total = dict.fromkeys(bench.KINDS, 0)
    for world in bench.worlds():
        for kind in bench.KINDS:
            notes = bench.told(world, kind)
            found[kind] += sum(
                contests(bench.page(world), note) for note in notes
            )
            total[kind] += len(notes)
    assert found["challengers"] >= 0.75 * total["challengers"]
    assert found["neutral"] <= 0.05 * total["neutral"]
    assert found["supporting"] == found["other"] == found["update"] == 0


# -- as people type --------------------------------------------------------------------------------

BED = Statement("The soil in the east bed is sandy, about grade 5.", "East bed")
POOL = Statement("The boat shed survives two broken beams.", "Boat shed")
TEO = Statement("Teo is allergic to nuts.", "Teo's nut allergy")
BELL = Statement(
    "Die Turmglocke im Rathaus ist auf 440 Hz gestimmt.", "Turmglocke"
)


@pytest.mark.parametrize(
    ("page", "text"),
    [
        (TEO, "Teo is not allergic to nuts."),
        (
            TEO,
            "The clinic called. They say he isn't allergic to nuts, so much for Teo.",
        ),
        (BED, "The soil in the east bed is not sandy."),
        (BED, "Soil report no. 2231, 'east bed': grade 7.2, humus fine."),
        (POOL, "The boat shed only survives one broken beam."),
        (
            POOL,
            "From the builder: the [[Boat shed]] survives the loss of one beam, not two.",
        ),
        (
            BELL,
            "Gemessen: die Turmglocke ist auf 443 Hz gestimmt, daran gibt es keinen Zweifel.",
        ),
        (BELL, "Laut App liegt die Glocke im Rathaus bei 443, nicht bei 440."),
        (BELL, "Die Turmglocke ist auf 443 Hz gestimmt, das hört man doch."),
    ],
)
def test_what_people_type_contests(page: Statement, text: str) -> None:
    """Each had gone by: a title that says all, one clause of two, "one" for a number, part of a
    compound.
    """
    assert contests(page, text)


@pytest.mark.parametrize(
    ("page", "text"),
    [
        (TEO, "Teo is not allergic to milk."),
        (TEO, "Could it be that Teo is not allergic to nuts?"),
        (PORT, "Maybe the lorry scale does not read on channel 4021."),
        (PORT, "The lorry scale does not read on channel 5077."),
        (BED, "The lab found grade 4.9 to 5.1 in the east bed."),
        (POOL, "One beam broke in the boat shed at noon."),
        (PORT, "As of 3 May 2026 the lorry scale reads on channel 5077."),
        (BELL, "Seit dem 3. Mai 2026 ist die Turmglocke auf 442 Hz gestimmt."),
        (BELL, "Die Orgel im Dom ist auf 465 Hz gestimmt."),
    ],
)
def test_questions_hedges_other_values_and_dated_changes_do_not(
    page: Statement, text: str
) -> None:
    assert not contests(page, text)


@pytest.mark.parametrize(
    ("text", "held_against"),
    [
        ("Measured 440.2 Hz at the town bell today.", False),
        ("The town bell rings at 439.8 Hz.", False),
        ("The town bell rings at 441 Hz.", True),
        ("The town bell rings at 440.7 Hz.", True),
    ],
)
def test_a_closer_measurement_of_one_value_is_no_other_value(
    text: str, held_against: bool
) -> None:
    """Readings of 28.1 and 27.9 had opened a branch against 28 degrees, and two more joined it."""
    page = Statement("The town bell is tuned to 440 Hz.", "Town bell")
    assert contests(page, text) is held_against


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1 m", "1.4 m"),
        ("300 cm", "320 cm"),
        ("1 kg", "1400 g"),
        ("1 m", "101 cm"),
        ("300 cm", "301 cm"),
        ("28 volts", "28.5 volts"),
        ("29 volts", "28.5 volts"),
    ],
)
def test_what_is_measured_anew_is_another_value_both_ways(
    one: str, other: str
) -> None:
    """1.4 m had been taken for a closer 1 m, and 320 cm for 3 m."""
    for page, note in ((one, other), (other, one)):
        stated = Statement(f"The slipway is {page} deep.", "Slipway")
        assert contests(stated, f"The slipway is {note} deep.")


def test_a_rougher_measurement_of_one_value_is_no_other_value() -> None:
    page = Statement("The town bell is tuned to 440.2 Hz.", "Town bell")
    assert not contests(page, "The town bell rings at 440 Hz.")


def test_two_measurements_are_one_position_and_two_counts_are_two() -> None:
    """7.1 and 7.2 against 5 had each opened a branch, and so had the number of a report."""
    one, other = (
        find_contest(
            BED, Statement(f"Report no. {n}: the east bed has grade {v}.")
        )
        for n, v in ((1, 7.2), (2, 7.1))
    )
    assert one.note_value == {"7.2"} and is_same_position(one, other)
    four, six = (
        find_contest(
            POOL, Statement(f"The boat shed survives {n} broken beams.")
        )
        for n in ("four", "six")
    )
    assert (
        four.note_value and six.note_value and not is_same_position(four, six)
    )
    assert takes_position(
        one,
        Statement(
            "took earth from the [[East bed]] to the shop, they measured 7.1"
        ),
        BED,
    )


def test_a_measurement_contests_no_earlier_one() -> None:
    page = Statement("My weight is 81.2 kg", title="Weight")

    [series] = LightContest().relate(
        [(page, Statement("80.4 kg this morning"))]
    )
    [same] = LightContest().relate([(page, Statement("My weight is 80.4 kg"))])

    assert (series.label, same.label) == ("neutral", "neutral")
