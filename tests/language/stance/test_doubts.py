"""What is seen of a note beside a page has a name, and each name weighs what a person expects."""

import pytest

from companion.language.detect import LANGUAGES
from companion.language.stance import doubts
from companion.language.stance.doubt_words import SIGNS, signs_of
from companion.language.stance.doubts import Features, describe_doubt
from companion.language.vectors.static_vectors import StaticEmbedder
from companion.values.relations import Statement

YEAST = Statement(
    "The yeast is pitched at 24 degrees, straight from the fridge.\n"
    "Warm wort gives it a quick start.",
    "Pitching yeast",
)
BECKEN = Statement(
    "Das Wasser im Babybecken hat 28 Grad.\nWärmer wird es nicht gemacht.",
    "Babybecken",
)


@pytest.fixture(scope="module")
def words() -> StaticEmbedder:
    return StaticEmbedder()


def see(
    words: StaticEmbedder, page: Statement, text: str, language: str = "en"
) -> Features:
    return describe_doubt(
        page,
        Statement(text),
        language,
        words.measure_words,
        rule=0.0,
        head=0.3,
    )


def test_a_number_of_the_same_thing_is_another_the_same_or_near(
    words: StaticEmbedder,
) -> None:
    other = see(words, YEAST, "Pitch the yeast at 18 degrees.")
    same = see(words, YEAST, "The yeast went in at 24 degrees.")
    near = see(words, BECKEN, "Heute 28,1 Grad im Babybecken.", "de")

    assert (other["other number"], other["same number"]) == (1, 0)
    assert (same["other number"], same["same number"]) == (0, 1)
    assert (near["near number"], near["other number"]) == (1, 0)


def test_a_link_is_no_word_of_the_note(words: StaticEmbedder) -> None:
    linked = see(words, YEAST, "Tea at four, then [[Pitching yeast]].")
    named = see(words, YEAST, "Tea at four, then pitching the yeast.")

    assert (linked["names title"], linked["only links"]) == (0, 1)
    assert (named["names title"], named["only links"]) == (1, 0)


def test_a_sign_counts_less_where_nothing_of_the_page_is_named(
    words: StaticEmbedder,
) -> None:
    there = see(words, YEAST, "Warm wort for the yeast is a myth.")
    elsewhere = see(words, YEAST, "Yeast it is.\nThe moon landing is a myth.")

    assert there["wrong"] == 2 * elsewhere["wrong"] > 0


def test_a_question_states_nothing(words: StaticEmbedder) -> None:
    asked = see(words, YEAST, "Is 18 degrees for the yeast wrong?")

    assert asked["about"] == asked["wrong"] == asked["other number"] == 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_list(language: str) -> None:
    for sign, lists in signs_of(language).items():
        assert lists.words or lists.beginnings, sign
        assert all(" " in phrase or "'" in phrase for phrase in lists.phrases)
        written = [*lists.words, *lists.beginnings, *lists.phrases]
        assert [word.lower() for word in written] == written


def test_every_thing_seen_has_a_weight(words: StaticEmbedder) -> None:
    seen = see(words, YEAST, "Never pitch the yeast warm.")

    assert doubts.load_weights().keys() == {*seen, "bias"}
    assert set(SIGNS) <= seen.keys()


def test_doubt_in_words_of_its_own_outweighs_an_application(
    words: StaticEmbedder,
) -> None:
    doubt = (
        "The nail varnish taste comes from yeast pitched too warm, it is wrong."
    )
    plain = "Pitched the yeast in the afternoon as always, warm wort and all."

    heard = doubts.weigh_doubt(see(words, YEAST, doubt))
    silent = doubts.weigh_doubt(see(words, YEAST, plain))
    assert heard > 2 * silent
