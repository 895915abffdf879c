"""Find the full name of what notes call by one word: "Nadine Rauh", "Mooring lines"."""

import re
from collections.abc import Sequence
from itertools import chain

from companion.language.detect import language_of
from companion.language.names.forms_of_address import find_word_beside
from companion.language.names.name_forms import is_form_of, name_forms
from companion.pages.links import fold
from companion.subjects.beginnings.thing_words import read_thing_words

_LINK = re.compile(r"\[\[([^\[\]|#\n]+)")
# a word behind the name, with nothing of a word behind it
_BEHIND = r"[ \u00a0]([^\W\d_]{2,})(?![\w'\u2019-])"


def find_full_name(name: str, texts: Sequence[str]) -> str:
    """Return what *texts* that call something *name* call it in full."""
    return add_linked_words(add_surname(name, texts), texts)


def add_surname(name: str, texts: Sequence[str]) -> str:
    """Return *name* with the word that German *texts* write behind it, where it is nearly always
    the same.

    All nouns have a capital there, so that one note alone shows no full name.
    """
    if " " in name or not all(language_of(text) == "de" for text in texts):
        return name
    pattern = rf"(?<![\w-]){re.escape(name)}{_BEHIND}"
    word = find_word_beside(pattern, name, texts)
    if word is None:
        return name
    times = read_thing_words("de").times
    is_time = not times.isdisjoint(name_forms(fold(word)))
    return name if is_time else f"{name} {word}"


def add_linked_words(name: str, texts: Sequence[str]) -> str:
    """Return what *texts* link that has *name* for one of its words, where half of them or more say
    it, and two at least: who links "[[Mooring lines]]" has said what it is called.
    """
    folded = [fold(text) for text in texts]
    least = max(2, len(texts) / 2)
    often: list[tuple[int, str]] = []
    for target in dict.fromkeys(chain(*map(_LINK.findall, texts))):
        words = fold(target).split()
        if len(words) < 2 or not _has_form_of(name, words):
            continue
        count = sum(" ".join(words) in text for text in folded)
        if count >= least:
            often.append((-count, target.strip()))
    return min(often)[1] if often else name


def _has_form_of(name: str, words: Sequence[str]) -> bool:
    key = fold(name)
    return any(is_form_of(word, key) or is_form_of(key, word) for word in words)
