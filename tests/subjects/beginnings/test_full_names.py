"""A page is called by the full name that notes write, or link."""

import pytest

from companion.subjects.beginnings.full_names import (
    add_linked_words,
    add_surname,
)

CALLS = "Nadine Rauh ruft am Montag wegen der Fenster an"
COMES = "Heute war Nadine Rauh da, sie hat die Fenster gemessen"


def test_a_full_name_that_two_notes_write_is_the_name() -> None:
    assert add_surname("Nadine", (CALLS, COMES)) == "Nadine Rauh"
    first = "Nadine will das Angebot bis Freitag schicken"
    assert add_surname("Nadine", (CALLS, COMES, first)) == "Nadine Rauh"


@pytest.mark.parametrize(
    "texts",
    [
        (CALLS, "Nadine hat sich die Fenster noch nicht angesehen"),
        (CALLS, "Nadine Kolb hat die Fenster noch nicht gesehen"),
        # when something is
        (
            "Mit Nadine Montag ins Kino, sie hat die Karten",
            "Nadine Montag fragen, ob sie noch Zeit hat",
        ),
        # in English a name shows by its capitals
        ("Nadine Rauh called about it", "I saw Nadine Rauh at the market"),
    ],
)
def test_what_few_notes_write_is_none_of_the_name(
    texts: tuple[str, ...],
) -> None:
    assert add_surname("Nadine", texts) == "Nadine"


LINKS = "Engine drained, [[Ramp]] lifted, [[Mooring lines]] coiled"


@pytest.mark.parametrize(
    ("name", "texts", "full"),
    [
        ("Mooring", (LINKS, "Mooring lines are new", "wet"), "Mooring lines"),
        ("Vitamin", ("[[Vitamin D]] morgens", "nimm Vitamin D"), "Vitamin D"),
        # the form that notes use most may be another than the link's
        ("Hops", ("[[Hop store]] open", "the hop store is full"), "Hop store"),
        # said by one note of three, linked by none, or a name already
        ("Mooring", (LINKS, "Mooring is done", "no mooring"), "Mooring"),
        ("Mooring", ("Mooring lines", "the mooring lines"), "Mooring"),
        ("Ramp", (LINKS, "the ramp squeaks"), "Ramp"),
    ],
)
def test_what_notes_link_and_say_is_the_name(
    name: str, texts: tuple[str, ...], full: str
) -> None:
    assert add_linked_words(name, texts) == full
