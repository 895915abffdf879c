"""What the door knows of ninety formats, and what it takes for one."""

from companion.privacy.provider_rules import measure_entropy, read_rules
from tests.bench.secret_formats import fresh
from tests.bench.secret_formats.__main__ import measure
from tests.bench.secret_formats.rules import _scope_flags
from tests.bench.secret_formats.samples import (
    FORMATS,
    LOOK_ALIKES,
    make_samples,
)


def test_recall_and_precision_keep_their_goals() -> None:
    assert (len(FORMATS), len(LOOK_ALIKES)) == (90, 47)

    recall, precision, wrong = measure(make_samples(seed=3))

    assert recall >= 0.95, wrong
    assert precision >= 0.97, wrong


def test_the_sets_that_came_later_keep_the_goals() -> None:
    sets = (
        (fresh.FORMATS, fresh.LOOK_ALIKES),
        (fresh.LATER_FORMATS, fresh.LATER_LOOK_ALIKES),
        fresh.SETS["unseen"],
    )
    for formats, look_alikes in sets:
        samples = make_samples(3, formats, look_alikes)
        recall, precision, wrong = measure(samples)
        assert recall >= 0.95, wrong
        assert precision >= 0.97, wrong


def test_the_last_set_has_no_false_alarm() -> None:
    samples = make_samples(3, *fresh.SETS["last"])

    recall, precision, wrong = measure(samples)

    assert precision == 1.0, wrong
    assert recall >= 0.75, wrong


def test_every_rule_has_keywords_that_its_pattern_needs() -> None:
    rules = read_rules()

    assert len(rules) > 400
    for rule in rules:
        assert all(rule.keywords), rule
        assert all(word == word.lower() for word in rule.keywords), rule


def test_a_flag_inside_a_pattern_holds_to_the_end_of_its_group() -> None:
    assert _scope_flags(r"\b(p8-(?i)[a-z]{2})x") == r"\b(p8-(?i:[a-z]{2}))x"
    assert _scope_flags(r"EZ(?i)[a-z]") == r"EZ(?i:[a-z])"
    assert _scope_flags(r"(?i)abc") == r"(?i)abc"
    assert _scope_flags(r"a(?i)b|c") is None


def test_entropy_is_in_bits_a_character() -> None:
    assert measure_entropy("") == 0
    assert measure_entropy("aaaa") == 0
    assert measure_entropy("abcd") == 2
