"""A page is called by the full name that German notes write."""

import pytest

from companion.subjects.beginnings.full_names import add_surname

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
