"""Tell whether a text may name a time, before anything reads times: most texts name none."""

import re
from collections.abc import Collection
from functools import lru_cache

from companion.language.detect import LanguageData, read_language_data
from companion.patterns import lazy

# the field of a phrase, and the list of words that it may be
LISTED_FIELDS = {
    "month": "months",
    "weekday": "weekdays",
    "season": "seasons",
    "unit": "units",
    "dayword": "days",
    "relative": "relative",
}
_LISTS = (*LISTED_FIELDS.values(), "numbers")
_NUMBER = lazy(r"(?<!\w)\d")
_WORD = lazy(r"\w+")


def may_name_time(text: str, telling: Collection[str]) -> bool:
    """Tell whether *text* has a number, or one of the words *telling* without which no phrase names
    a time.
    """
    if _NUMBER.search(text):
        return True
    words = _WORD.findall(text.casefold())
    return any(word in telling for word in words)


@lru_cache(maxsize=8)
def find_telling_words(language: str) -> frozenset[str]:
    """Return the words of which each phrase of *language* without a number has one."""
    return list_telling_words(read_lists(read_language_data(language, "time")))


def read_lists(raw: LanguageData) -> dict[str, LanguageData]:
    """Return the lists of words that stand for something, their words in lower case."""
    return {name: _lower_keys(raw[name]) for name in _LISTS}


def list_telling_words(lists: dict[str, LanguageData]) -> frozenset[str]:
    """Return words of which each phrase without a number has one: the longest of each listed one.

    A form names a list or has a number (`build_forms`).
    """
    listed = [word for name in LISTED_FIELDS.values() for word in lists[name]]
    parts = [re.findall(r"\w+", word.casefold()) for word in listed]
    return frozenset(max(words, key=len) for words in parts if words)


def _lower_keys(table: LanguageData) -> LanguageData:
    return {name.lower(): value for name, value in table.items()}
