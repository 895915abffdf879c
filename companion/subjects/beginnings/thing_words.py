"""The words of a language by which a note's things are told from its other words."""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from companion.language.detect import (
    LANGUAGES,
    function_words,
    language_of,
    read_language_data,
)
from companion.language.lexicon import lexicon_of, unit_symbols
from companion.language.names.name_forms import name_forms
from companion.language.sentences import (
    Token,
    Words,
    blank_markup,
    tokenize,
)
from companion.language.word_kinds import read_word_kinds
from companion.language.words import roles
from companion.pages import links
from companion.subjects.mentions.longer_names import is_past_form
from companion.subjects.words import titles_of_persons

#: how surely a word is a thing, where it is one; where it may be one, 1 or 0
SURE = 2
_SHORTEST = 3  # letters
# characters of a note in which things are looked for
READ = 2_000


class ThingWords(NamedTuple):
    """The words of a language by which things are told from others."""

    determiners: frozenset[str]  # and prepositions that hold one: "beim"
    possessives: frozenset[str]
    indefinite: frozenset[str]
    little: frozenset[str]  # words that are no things
    function: frozenset[str]
    finite: frozenset[str]  # verbs that a subject stands before
    times: frozenset[str]
    timely: frozenset[str]  # what things are while they are the latest: "new"
    titles: frozenset[str]  # of persons
    prepositions: frozenset[str]
    passing: frozenset[str]  # prepositions before what is often said in passing
    negatives: frozenset[str]  # determiners of what is not: "no", "kein"
    nouns_have_capitals: bool
    contractions: Mapping[str, str]  # "im" of "in"
    adverbial: frozenset[str]  # behind a preposition no thing: "on the way"
    units: frozenset[str]  # "kg", "Euro"


@lru_cache(maxsize=8)
def read_thing_words(language: str) -> ThingWords:
    """Return the words of *language*, one of `LANGUAGES`."""
    raw = read_language_data(language, "extract")["words"]
    kinds: dict[str, frozenset[str]] = {}
    for kind in ("determiners", "possessives", "articles", "definite"):
        kinds[kind] = frozenset(raw.get(kind, "").split())
    determiners = kinds["determiners"] | kinds["possessives"]
    little = set(function_words()[language])
    little.update(lexicon_of(language).numbers)
    for text in raw.values():
        if isinstance(text, str):
            little.update(text.split())
    for name in ("fillers", "classes", "offices"):
        # those that only a reader of claims passes over are things
        little -= set(raw.get(name, "").split()) - set(
            raw.get("fillers", "").split()
        )
    prepositions = frozenset(raw.get("prepositions", "").split())
    indefinite = determiners - kinds["possessives"] - kinds["definite"]
    finite: set[str] = set()
    for kind in ("copulas", "auxiliaries", "modals"):
        finite.update(raw.get(kind, "").split())
    contractions = _contractions_of(language, prepositions)
    return ThingWords(
        determiners | contractions.keys(),
        kinds["possessives"],
        indefinite,
        frozenset(little),
        function_words()[language],
        frozenset(finite),
        _times(),
        frozenset(raw.get("timely", "").split()),
        titles_of_persons(),
        prepositions,
        prepositions - read_word_kinds(roles.DATA)["company"],
        determiners & frozenset(raw.get("negations", "").split()),
        nouns_have_capitals=language == "de",
        contractions=contractions,
        adverbial=read_word_kinds(roles.DATA)["adverbial"],
        units=frozenset(
            unit.casefold()
            for unit in (*lexicon_of(language).units, *unit_symbols())
        ),
    )


def may_be_thing(token: Token, words: ThingWords) -> bool:
    """Tell whether a word may name a thing: a word of letters that is none of the little ones."""
    low = token.low
    if len(low) < _SHORTEST or not low[0].isalpha() or "'" in low:
        return False
    if low in words.little:
        return False
    return words.times.isdisjoint(name_forms(low))


def find_way(tokens: Words, at: int, words: ThingWords) -> tuple[str, bool]:
    """Return the preposition that leads to what the determiner at *at* begins, "" for none, and
    whether it begins the sentence.
    """
    low = tokens[at].low
    if low in words.contractions:
        return words.contractions[low], at == 0
    if at and tokens[at - 1].low in words.prepositions:
        return tokens[at - 1].low, at == 1
    return "", False


def is_counted(tokens: Words, at: int, text: str, words: ThingWords) -> bool:
    """Tell whether a number says how many there are of a word: "40 Seiten", and not "um 9 Anna"."""
    if not at or not tokens[at - 1].text.replace(",", "").isdigit():
        return False
    if text[tokens[at - 1].end : tokens[at].start] != " ":
        return False
    return at < 2 or tokens[at - 2].low not in words.prepositions


def key_of(form: str) -> str:
    """Return the key of a thing: "boilers" and "boiler" are one."""
    return " ".join(_plain_word(word) for word in links.fold(form).split())


def list_common_words(text: str) -> frozenset[str]:
    """Return the keys of the words that a note writes small: no name is among them."""
    plain = blank_markup(text[:READ])
    words = tokenize(plain, 0, len(plain))
    return frozenset(key_of(word.low) for word in words if word.text.islower())


def _plain_word(word: str) -> str:
    shortest = min(name_forms(word), key=lambda form: (len(form), form))
    while shortest != word:
        word = shortest
        shortest = min(name_forms(word), key=lambda form: (len(form), form))
    return word


def _contractions_of(
    language: str, prepositions: frozenset[str]
) -> dict[str, str]:
    """Return the prepositions that hold an article, with the plain ones: "beim" of "bei", "im" of
    "in".
    """
    if language != "de":
        return {}
    found = {}
    for word in prepositions:
        for bare in (word[:-1], f"{word[:-1]}n"):
            if word[-1] in "msr" and bare in prepositions:
                found[word] = bare
    return found


@lru_cache(maxsize=1)
def _times() -> frozenset[str]:
    """Return the words for times in every language: a name is often told in another one."""
    times: set[str] = set()
    for language in LANGUAGES:
        raw = read_language_data(language, "time")
        for kind in ("months", "weekdays", "seasons", "units", "days"):
            for phrase in raw.get(kind, {}):
                times.update(phrase.split())
    return frozenset(times)


def find_language(text: str) -> str | None:
    """Return the language of *text*, without its first word where that did something: "Per" of "Per
    bought a motorbike" is no word of Italian.
    """
    first, _, rest = text.partition(" ")
    verb = rest.partition(" ")[0]
    if first[:1].isupper() and is_past_form(verb):
        return language_of(rest)
    return language_of(text)
