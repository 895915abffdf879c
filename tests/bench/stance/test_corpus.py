"""The corpus holds together: labels, counts, no two pairs alike, splits apart."""

import re
from collections import Counter, defaultdict
from itertools import combinations

import pytest

from companion.language.stance.stance import LABELS
from tests.bench.stance.corpus import SPLITS, Pair, read_pairs

PAIRS = {split: read_pairs(split) for split in SPLITS}
FIRST = [pair for pairs in PAIRS.values() for pair in pairs if not pair.again]
#: capitals within a sentence; German writes every noun so and is left out
NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-zà-ÿ]{4,}")
#: of the calendar, of nations, and of what every town has
EVERYWHERE = frozenset(
    [
        "January",
        "February",
        "March",
        "April",
        "August",
        "September",
        "October",
        "November",
        "December",
        "Monday",
        "Tuesday",
        "Wednesday",
        "Thursday",
        "Friday",
        "Saturday",
        "Sunday",
        "Mondays",
        "Tuesdays",
        "Wednesdays",
        "Thursdays",
        "Fridays",
        "Saturdays",
        "Sundays",
        "Christmas",
        "Easter",
        "Whitsun",
        "English",
        "French",
        "Polish",
        "Welsh",
        "Victorian",
        "Methodist",
        "Trust",
        "Street",
        "Ripon",
    ]
)
COMMON = 0.4  # of the 4-grams of the shorter of two pairs


def test_it_has_as_many_pairs_as_it_says() -> None:
    assert len(FIRST) >= 3_000
    assert len({pair.domain for pair in FIRST}) >= 25
    languages = Counter(pair.lang for pair in FIRST)
    assert set(languages) == {"en", "de", "fr", "es"}


@pytest.mark.parametrize("split", SPLITS)
def test_every_label_is_there_and_contradictions_of_each_difficulty(
    split: str,
) -> None:
    pairs = PAIRS[split]

    assert {pair.label for pair in pairs} == set(LABELS)
    hows = {pair.how for pair in pairs if pair.label == "contradicts"}
    assert hows == {"easy", "medium", "hard"}


@pytest.mark.parametrize("split", SPLITS)
def test_a_second_statement_gives_its_note_another_label(split: str) -> None:
    first: dict[str, list[Pair]] = defaultdict(list)
    for pair in PAIRS[split]:
        if not pair.again:
            first[pair.domain].append(pair)
    for pair in PAIRS[split]:
        if pair.again:
            before = first[pair.domain][pair.again - 1]
            assert before.new == pair.new
            assert before.label != pair.label


def test_no_domain_is_in_two_splits() -> None:
    domains = [{pair.domain for pair in pairs} for pairs in PAIRS.values()]

    assert not any(one & other for one, other in combinations(domains, 2))


def test_no_name_is_in_two_splits() -> None:
    names = [_names(pairs) for pairs in PAIRS.values()]
    for one, other in combinations(names, 2):
        assert not (one & other) - EVERYWHERE


def _names(pairs: list[Pair]) -> set[str]:
    found: set[str] = set()
    for pair in pairs:
        if pair.lang != "de":
            found.update(NAME.findall(pair.old), NAME.findall(pair.new))
    return found


def test_no_two_pairs_share_many_runs_of_words() -> None:
    grams = [_grams(pair) for pair in FIRST]
    holders: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for number, found in enumerate(grams):
        for gram in found:
            holders[gram].append(number)
    shared: Counter[tuple[int, int]] = Counter()
    for numbers in holders.values():
        shared.update(combinations(numbers, 2))

    for (one, other), count in shared.items():
        least = min(len(grams[one]), len(grams[other]))
        assert count <= COMMON * least, (FIRST[one].domain, FIRST[other].domain)


def _grams(pair: Pair) -> set[tuple[str, ...]]:
    grams: set[tuple[str, ...]] = set()
    for side in (pair.old, pair.new):
        words = re.findall(r"\w+", side.lower())
        grams |= {tuple(words[at : at + 4]) for at in range(len(words) - 3)}
    return grams
