"""Forms of names: which words of a text may be a form of one name ("Annas", "Ärzte", "boilers")."""

from collections.abc import Iterable
from functools import lru_cache
from unicodedata import normalize

# endings that any word may have: a genitive or a plural
_ALWAYS = ("s",)
# endings of common nouns; a short name must not become another ("Simone", "Simon")
_OF_NOUNS = ("e", "n", "en", "es", "er", "ern")
_SHORTEST = 3  # letters that remain at least
_NOUN = 6  # letters of what remains where a noun's ending goes
_VOWELS = tuple("aeiouy")
_UMLAUTS = str.maketrans("äöü", "aou")


@lru_cache(maxsize=65536)
def name_forms(word: str) -> tuple[str, ...]:
    """Return the folded *word* and what it may be a form of, itself first.

    Two words may name the same if they have a form in common.
    """
    plain = word.replace("\u2019", "'")
    forms = dict.fromkeys((plain, plain.removesuffix("'s").rstrip("'")))
    for form in list(forms):
        for ending in _ALWAYS:
            if form.endswith(ending) and not form.endswith("ss"):
                _add(forms, form.removesuffix(ending), _SHORTEST)
        _add_endings(forms, form, _OF_NOUNS, _NOUN)
    for form in list(forms):
        other = without_umlaut(form)
        # "ärzte": a plural shows by its umlaut, however short it is
        if other != form:
            _add(forms, other, _SHORTEST)
            _add_endings(forms, other, ("e", "er"), _SHORTEST)
    return tuple(forms)


def is_form_of(word: str, name: str) -> bool:
    """Tell whether two folded words may be forms of one name."""
    return not set(name_forms(word)).isdisjoint(name_forms(name))


def _add(forms: dict[str, None], form: str, shortest: int) -> None:
    if len(form) >= shortest:
        forms[form] = None


def _add_endings(
    forms: dict[str, None], form: str, endings: Iterable[str], shortest: int
) -> None:
    """Add *form* without each of *endings* that it has."""
    for ending in endings:
        if form.endswith(ending):
            rest = form.removesuffix(ending)
            if not _names_a_doer(rest, ending):
                _add(forms, rest, shortest)


def _names_a_doer(rest: str, ending: str) -> bool:
    """Tell whether an ending is none of a plural: "engineer", beside "Kinder"."""
    return ending.startswith("er") and rest.endswith(_VOWELS)


def without_umlaut(word: str) -> str:
    """Return the folded *word* with the plain vowels of its umlauts."""
    return normalize("NFC", word).translate(_UMLAUTS)
