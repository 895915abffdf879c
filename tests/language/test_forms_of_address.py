"""A name keeps the word that everybody writes before it."""

import pytest

from companion.language.names.forms_of_address import add_form_of_address


@pytest.mark.parametrize(
    ("texts", "title"),
    [
        (("Dr. Klein called", "saw Dr. Klein today"), "Dr. Klein"),
        (("Frau Vogt zieht um", "Heute Frau Vogt getroffen"), "Frau Vogt"),
        (("Onkel Rolf schrieb", "bei Onkel Rolf", "mit Rolf"), "Onkel Rolf"),
        (
            ("Prof. Dr. Klein liest", "bei Prof. Dr. Klein"),
            "Prof. Dr. Klein",
        ),
        # said once only, or by fewer than two in three
        (("Frau Klein rief an", "Klein zieht um"), "Klein"),
        (("Mrs Klein left", "Mr Klein left", "Klein left"), "Klein"),
        # a sentence begins, and its word has a capital for that
        (("In Klein we rest", "In Klein it rains"), "Klein"),
        (("the Klein bottle", "a Klein bottle"), "Klein"),
    ],
)
def test_what_belongs_to_a_name(texts: tuple[str, ...], title: str) -> None:
    assert (
        add_form_of_address(
            "Klein" if "Klein" in title else title.split()[1], texts
        )
        == title
    )
