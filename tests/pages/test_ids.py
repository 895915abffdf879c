"""Ids: what every machine computes alike."""

import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from companion.pages.ids import entry_id, provisional_id

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@given(texts, texts, st.integers(0, 5))
def test_an_id_is_16_characters_that_frontmatter_keeps(
    path: str, blob: str, turn: int
) -> None:
    for id in (entry_id(path), provisional_id(path, blob, turn)):
        assert re.fullmatch("[a-z2-7]{16}", id)


def test_ids_are_golden() -> None:
    """Changing these would give every entry of every wiki a new id."""
    assert entry_id("0" * 64) == "aaff4u3bislsftjs"
    assert (
        provisional_id("Alpha.md", "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391")
        == "jjtwqzblcbi3tlqr"
    )
    assert (
        provisional_id(
            "Alpha.md", "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391", 1
        )
        == "h5xaps4fz3nrpu7m"
    )


def test_a_name_is_one_however_it_is_composed() -> None:
    names = [unicodedata.normalize(form, "Café.md") for form in ("NFC", "NFD")]
    assert len({provisional_id(name, "b") for name in names}) == 1


def test_path_content_and_turn_each_make_a_difference() -> None:
    ids = [
        provisional_id(*args)
        for args in (
            ("a", "b", 0),
            ("b", "b", 0),
            ("a", "c", 0),
            ("a", "b", 1),
            ("a", "b", 2),
        )
    ]
    assert len({*ids, entry_id("a")}) == 6


def test_a_name_that_is_no_text_has_an_id() -> None:
    assert provisional_id("a\udcff.md", "b") != provisional_id(
        "a\udcfe.md", "b"
    )
