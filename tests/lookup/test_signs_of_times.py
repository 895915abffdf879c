"""A query is read for times only if a word shows one: those words must cover the time phrases."""

import itertools

import pytest

from companion.language.detect import read_language_data
from companion.language.words.stop_words import STOP_WORDS
from companion.lookup.query.times import _SIGNS
from companion.storage.index.terms import split_words

# said as a verb or a part of other words more often than as a time of what is over
_LEFT_OUT = {"fall", "current", "mar", "jan"}


def list_phrases(language: str) -> list[str]:
    """Return phrases for what has begun, built from the words of `time.toml`."""
    time = read_language_data(language, "time")
    words = [*time["months"], *time["weekdays"], *time["seasons"]]
    words += [day for day, distance in time["days"].items() if distance <= 0]
    begun = [one for one, step in time["relative"].items() if step < 0]
    for relative, unit in itertools.product(begun, time["units"]):
        words.append(f"{relative} {unit}")
    return words


@pytest.mark.parametrize("language", sorted(_SIGNS))
def test_each_phrase_of_what_has_begun_has_a_sign(language: str) -> None:
    unseen = []
    for phrase in list_phrases(language):
        words = set(split_words(phrase))
        if words & _LEFT_OUT or words <= STOP_WORDS[language]:
            continue
        if not words & _SIGNS[language]:
            unseen.append(phrase)
    assert unseen == []
