"""Find whom a note names first, and says something of: "Tomas moved to Graz", "Jule zieht um"."""

import re

from companion.language.detect import language_of
from companion.pages import links
from companion.subjects.beginnings.thing_words import read_thing_words
from companion.subjects.mentions.longer_names import is_past_form
from companion.subjects.words import (
    OwnName,
    find_own_name,
    silent_words,
    words_of_kinds,
)

# letters of a name
_SHORTEST = 3
# the ends of what a German note says that somebody does, or did
_GERMAN_VERB = ("t", "te")
_WORD = re.compile(r"[^\W_]+(?:['\u2019]s\b)?")


def find_first_name(text: str) -> OwnName | None:
    """Return the name that *text* begins with: its own, or a word that seems to do something."""
    found = find_own_name(text)
    if found is not None:
        return found
    first, second = (*_WORD.findall(text)[:2], "", "")[:2]
    if not first[:1].isupper() or not second.islower():
        return None
    key, verb = links.fold(first), links.fold(second)
    if len(key) < _SHORTEST or key in silent_words(None) or is_past_form(key):
        return None  # "Ordered tiles"
    return OwnName(key, False) if _may_do(verb, language_of(text)) else None


def list_common_words(text: str) -> frozenset[str]:
    """Return the words that *text* writes small or behind a determiner: they are no names.

    "The kiln" and "am Boot" have one.
    """
    words = _WORD.findall(text)
    before = words_of_kinds("determiners", "articles", "possessives")
    before |= read_thing_words("de").contractions.keys()
    common = set()
    for at, word in enumerate(words):
        follows = at > 0 and links.fold(words[at - 1]) in before
        if word[0].islower() or follows:
            common.add(links.fold(word))
    return frozenset(common)


def _may_do(verb: str, language: str | None) -> bool:
    """Tell whether *verb* may say what somebody does or did: "moved", "speaks", "zieht"."""
    if language != "de" and (is_past_form(verb) or _ends_in_s(verb)):
        return True
    if verb in words_of_kinds("prepositions", "adverbs", "negations"):
        return False  # "Brot mit Butter"
    return language != "en" and verb.endswith(_GERMAN_VERB)


def _ends_in_s(word: str) -> bool:
    return word.endswith("s") and not word.endswith("ss")
