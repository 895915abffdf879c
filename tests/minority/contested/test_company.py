"""Whoever joins a debate speaks of what it is about, and says something."""

from companion.minority.contested.company import (
    describe_company,
    find_common,
    load_weights,
    log_odds,
    to_likelihood,
    weigh_company,
)

TITLE = ("chains",)
PAGE = (*TITLE, "grease", "grey")
OTHERS = [("thin", "oil", "dirt"), ("wipe", "dirt")]
TEN = (
    "ten",
    "bikes",
    "little",
    "oil",
    "dirt",
    "rubbed",
    "none",
    "came",
    "back",
)


def weigh(words: tuple[str, ...], likelihood: float = 0.1) -> float:
    common = find_common(words, TITLE, PAGE, OTHERS)
    return weigh_company(describe_company(likelihood, words, common))


def test_words_in_common_are_of_the_title_the_page_or_the_others() -> None:
    common = find_common(
        ("chain", "grease", "dirt", "sun"), TITLE, PAGE, OTHERS
    )

    assert common.title == ("chain",)
    assert common.page == ("chain", "grease")
    assert common.others == ("dirt",)
    assert common.words == ("chain", "grease", "dirt")


def test_more_in_common_and_more_said_joins_rather() -> None:
    nothing = ("train", "late", "bakery", "sold", "early", "coast", "noon")

    assert weigh(TEN) > weigh(nothing)
    assert weigh(TEN) > weigh(TEN[3:5])
    assert weigh(("grease", *TEN)) > weigh(TEN)
    assert weigh(TEN, 0.4) > weigh(TEN, 0.1)


def test_there_is_a_weight_for_each_thing_that_is_seen() -> None:
    common = find_common(TEN, TITLE, PAGE, OTHERS)
    seen = describe_company(0.1, TEN, common)
    assert {*seen, "bias"} == set(load_weights())


def test_odds_and_likelihoods_are_one() -> None:
    assert abs(to_likelihood(log_odds(0.3)) - 0.3) < 1e-9
    assert 0 < to_likelihood(log_odds(0.0)) < to_likelihood(log_odds(1.0)) < 1
