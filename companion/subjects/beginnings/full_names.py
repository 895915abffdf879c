"""Find the full name of whom notes call by the first: "Nadine Rauh"."""

import re
from collections.abc import Sequence

from companion.language.detect import language_of
from companion.language.names.forms_of_address import find_word_beside
from companion.language.names.name_forms import name_forms
from companion.pages.links import fold
from companion.subjects.beginnings.thing_words import read_thing_words

# a word behind the name, with nothing of a word behind it
_BEHIND = r"[ \u00a0]([^\W\d_]{2,})(?![\w'\u2019-])"


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
