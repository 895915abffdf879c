"""Times within names: "the Spring Market", "Frau Winter", "the Sunday Times" name no time."""

import re

from companion.language.claims.grammar import Grammar
from companion.language.detect import read_language_data
from companion.language.times.mentions import Mention

_LAST_WORD = re.compile(r"[^\W\d_]+\Z")
_WORD_BEFORE = re.compile(r"(\w[\w.'\u2019-]*)[ \t]+\Z")
# "Winter of Ullin", "Winter and Selar"
_GOES_ON = re.compile(r"[ \t]+(?:of|and|in the)[ \t]+[^\W\d_a-zäöüß]")
_WORD_BEHIND = re.compile(r"[ \t]+([^\W\d_][\w'\u2019-]*)")


def is_part_of_name(mention: Mention, clause: str, grammar: Grammar) -> bool:
    """Tell whether the time at *mention* is a word of a name.

    A season with a capital is, before another capital ("Summer Breeze") or behind one that is no
    little word ("Anna Sommer"); a month or a weekday is, between an article and a capital. What is
    said with a capital inside a sentence belongs to the name, too: "The Official Summer".
    """
    word = _LAST_WORD.search(clause[: mention.end])
    if word is None or not word.group()[0].isupper():
        return False
    low = word.group().lower()
    behind = _WORD_BEHIND.match(clause, mention.end)
    opens_name = behind is not None and _is_capital(behind[1], grammar)
    before = _WORD_BEFORE.search(clause[: word.start()])
    goes_on = _GOES_ON.match(clause, mention.end) is not None
    is_season = _is_season(low, grammar)
    inside_name = goes_on or _has_capital_inside(before)
    if inside_name and is_season and not grammar.v2:
        return True
    if before is not None and _is_relative(before[1].lower(), grammar):
        return False  # "last Summer"
    if is_season:
        if opens_name and not grammar.v2:
            return True
        return before is not None and _joins_name(mention, before, grammar)
    if before is None or not opens_name:
        return False
    return grammar.has("definite", before[1].lower()) and not grammar.v2


def _has_capital_inside(before: re.Match[str] | None) -> bool:
    """Tell whether the word *before* a season has a capital that no sentence begins with."""
    if before is None or not before[1][0].isupper():
        return False
    return bool(before.string[: before.start()].strip())


def _joins_name(
    mention: Mention, before: re.Match[str], grammar: Grammar
) -> bool:
    """Tell whether the word *before* a season makes it a name: "bei Sommer", "Anna Sommer"."""
    is_bare = mention.start == before.end()
    if is_bare and grammar.has("prepositions", before[1].lower()):
        return True
    return _is_name(before, grammar)


def _is_relative(low: str, grammar: Grammar) -> bool:
    return low in read_language_data(grammar.language, "time")["relative"]


def _is_season(low: str, grammar: Grammar) -> bool:
    return low in read_language_data(grammar.language, "time")["seasons"]


def _is_name(word: re.Match[str], grammar: Grammar) -> bool:
    """Tell whether a word with a capital is part of a name: no "Jeden", no "Im"."""
    if grammar.has("titles", word[1].lower().rstrip(".")):
        return True
    if not _is_capital(word[1], grammar):
        return False
    # in German every noun has a capital: only a name at the beginning is one for sure
    return not grammar.v2 or not word.string[: word.start()].strip()


def _is_capital(word: str, grammar: Grammar) -> bool:
    low = word.lower()
    time = read_language_data(grammar.language, "time")
    is_time = low in time["relative"] or low in time["months"]
    return word[0].isupper() and not is_time and not grammar.has("little", low)
