"""Forms of names and parts of compounds, and the words beside them that are neither."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.language.names.name_forms import is_form_of, name_forms
from companion.language.words.compounds import (
    is_compound_of,
    list_modifiers,
    word_likeness,
)

WORDS = st.text("abenrstäöü", min_size=1, max_size=16)


@pytest.mark.parametrize(
    ("form", "name"),
    [
        ("annas", "anna"),
        ("anna's", "anna"),
        ("zahnarzttermine", "zahnarzttermin"),
        ("ärzte", "arzt"),
        ("boilers", "boiler"),
    ],
)
def test_a_form_of_a_name(form: str, name: str) -> None:
    assert is_form_of(form, name)


@pytest.mark.parametrize(
    ("word", "name"),
    [("simone", "simon"), ("leon", "leo"), ("annabel", "anna"), ("boss", "bo")],
)
def test_another_name_is_no_form(word: str, name: str) -> None:
    assert not is_form_of(word, name)


@pytest.mark.parametrize(
    ("word", "part"),
    [
        ("zahnarzttermin", "zahnarzt"),
        ("küchenlieferung", "küche"),
        ("mittagsübergabe", "übergabe"),
    ],
)
def test_a_compound_begins_or_ends_with_its_part(word: str, part: str) -> None:
    assert is_compound_of(word, part)
    assert word_likeness(word, part) > 0


def test_an_ending_makes_no_compound() -> None:
    assert not is_compound_of("autos", "auto")
    assert not is_compound_of("volkes", "volk")


@given(WORDS, WORDS)
def test_likeness_is_symmetric_and_highest_for_the_same(
    one: str, other: str
) -> None:
    assert word_likeness(one, other) == word_likeness(other, one)
    assert word_likeness(one, other) <= word_likeness(one, one) == 1.0


@given(WORDS)
def test_a_word_is_a_form_of_itself_and_begins_with_its_modifiers(
    word: str,
) -> None:
    assert name_forms(word)[0] == word
    for modifier in list_modifiers(word):
        assert word.startswith(modifier.removesuffix("e"))
