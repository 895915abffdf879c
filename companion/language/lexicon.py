"""The words of a language by which the light relater compares two statements.

They are read once from `data/<language>/relate.toml` and made ready to look up.
"""

import os
import re
import tomllib
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from companion.language import sentence_ends
from companion.language.detect import (
    FOLDER,
    LANGUAGES,
    LanguageData,
    Tally,
    WordSet,
    add_tallies,
    best_language,
    fingerprint_of,
    join_tallies,
    read_language_data,
    tally,
)
from companion.language.words.stems import stem


class Unit(NamedTuple):
    """The kind of value that a unit measures, and how many base units it is."""

    kind: str
    factor: float


class NegationPhrase(NamedTuple):
    """Words that together deny ("no longer"), or that do not although one of them does."""

    words: list[str]
    denies: bool


class Lexicon(NamedTuple):
    """One language's words, by the stems that `stem` makes of them."""

    language: str
    function: WordSet
    # words whose presence changes nothing that is said
    articles: WordSet
    negators: WordSet
    # beside a denial: what is denied is waited for, "not paid yet"
    awaited: WordSet
    clause: WordSet  # where the reach of a negation ends
    indefinite: WordSet
    phrases: dict[str, list[NegationPhrase]]  # by their first word
    change: WordSet  # stems
    change_phrases: tuple[str, ...]
    # of the changes, what only corrects: nothing became different
    correcting: WordSet
    refuting: tuple[str, ...]  # phrases that call wrong what follows
    # words that turn away from what stands in their clause: "avoid"
    avoiding: WordSet
    blaming: WordSet  # words that call something wrong or harmful: "ruins"
    adding: WordSet  # "also": beside another value, not in its place
    # "but": what stands behind it is so in the place of what was denied
    instead: WordSet
    bounding: WordSet  # "below": a bound, and no value
    leaving: WordSet  # "from" of "from Porto to Lisbon"
    reaching: WordSet  # "to" of it
    single: tuple[str, ...]  # predicates with one value at a time
    multiple: tuple[str, ...]
    copula: WordSet
    # what, behind the noun of a size, shows that the noun is the subject: "is", "has"
    finite: WordSet
    sizes: WordSet  # "big": before a noun it says which one
    owned: WordSet  # before a copula, these make it single-valued
    suffixes: tuple[str, ...]
    prefixes: tuple[str, ...]
    # stems; of a phrase, its stems joined by a space
    opposites: dict[str, WordSet]
    # the sets of mutually exclusive words that a stem is in
    rivals: dict[str, frozenset[int]]
    months: dict[str, int]
    numbers: dict[str, float]
    # words for one of something, which often are only an article or a pronoun
    ones: WordSet
    ordinals: dict[str, int]
    units: dict[str, Unit]
    comma: bool  # a comma is the decimal point

    def stem(self, word: str) -> str:
        """Return *word* without its ending, so that its forms meet; it is no dictionary form."""
        return stem(word, self.suffixes)


@lru_cache(maxsize=8)
def lexicon_of(language: str) -> Lexicon:
    """Return the words of *language*, one of `LANGUAGES`."""
    raw = read_language_data(language, "relate")
    suffixes = tuple(sorted(raw["suffixes"], key=len, reverse=True))
    change = [phrase.lower() for phrase in raw["change"]]
    words_of_change = [word for word in change if " " not in word]
    return Lexicon(
        language,
        function=_words(raw, "function"),
        articles=_words(raw, "articles"),
        negators=_words(raw, "negators"),
        awaited=_words(raw, "awaited"),
        clause=_words(raw, "clause"),
        indefinite=_words(raw, "indefinite"),
        phrases=_negation_phrases(raw["not_negating"], raw["negating"]),
        change=_stems_and_phrases(words_of_change, suffixes),
        change_phrases=tuple(phrase for phrase in change if " " in phrase),
        correcting=_stems_and_phrases(raw.get("correcting", []), suffixes),
        refuting=tuple(raw.get("refuting", [])),
        avoiding=_words(raw, "avoiding"),
        blaming=_words(raw, "blaming"),
        adding=_words(raw, "adding"),
        instead=_words(raw, "instead"),
        bounding=_words(raw, "bounding"),
        leaving=_words(raw, "leaving"),
        reaching=_words(raw, "reaching"),
        single=tuple(raw["single"]),
        multiple=tuple(raw["multiple"]),
        copula=_words(raw, "copula"),
        finite=_words(raw, "finite"),
        sizes=_words(raw, "sizes"),
        owned=_words(raw, "owned"),
        suffixes=suffixes,
        prefixes=tuple(raw["negative_prefixes"]),
        opposites=_opposites(raw["antonyms"], suffixes),
        rivals=_rivals(raw["exclusive"], suffixes),
        months=_months(raw),
        numbers=_numbers(raw["numbers"]),
        ones=_words(raw, "ones"),
        ordinals=_numbered(raw["ordinals"]),
        units=_units(raw["units"]),
        comma=raw["decimal"] == ",",
    )


@lru_cache(maxsize=1)
def unit_symbols() -> dict[str, Unit]:
    """Return the unit symbols that every language shares; their case matters."""
    with open(os.path.join(FOLDER, "units.toml"), "rb") as file:
        return _units(tomllib.load(file)["symbols"])


@lru_cache(maxsize=1)
def fingerprint() -> str:
    """Return 12 hex digits that change with any of the relater's words."""
    relate = [os.path.join(name, "relate.toml") for name in sorted(LANGUAGES)]
    return fingerprint_of(
        ["function-words.toml", "units.toml", sentence_ends.DATA, *relate]
    )


@lru_cache(maxsize=4096)
def tally_once(text: str) -> Tally:
    """Return the little words of a short *text*: a night compares each with many others."""
    return tally(text)


def language_of_pair(
    first: str, second: str, tallied: Callable[[str], Tally] = tally
) -> str | None:
    """Return the language of two statements, None without rules for it or where the two differ.

    Little words decide; statements too short to have any go by the other words that the rules know.
    A caller that asks about one text many times gives a *tallied* that remembers.
    """
    tallies = (tallied(first), tallied(second))
    return _language_of_tallies(tallies, f"{first} {second}")


def language_of_joined(
    first: str, second: str, tallied: Callable[[str], Tally] = tally
) -> str | None:
    """Return the language of two texts taken as one: either may be too short to show its own.

    *tallied* is as in `language_of_pair`.
    """
    joined = join_tallies(tallied(first), tallied(second))
    return _language_of_tallies((joined, joined), f"{first} {second}")


def _language_of_tallies(tallies: tuple[Tally, Tally], text: str) -> str | None:
    """Return the language of two statements by their little words, or by the words of *text*, which
    has those of both.
    """
    both = add_tallies(*tallies)
    if not both:
        return _language_by_words(text)
    languages: set[str | None] = set()
    for one in tallies:
        if one.counts:
            languages.add(best_language(one.counts, both))
    if len(languages) != 1:
        return None
    return languages.pop()


def _language_by_words(text: str) -> str | None:
    """Return the language whose lexicon knows most words of *text*, None where none knows any."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    most = 0
    best = None
    for language in LANGUAGES:
        lexicon = lexicon_of(language)
        known = sum(_is_known(word, lexicon) for word in words)
        if known > most:
            most = known
            best = language
    return best


def _is_known(word: str, lexicon: Lexicon) -> bool:
    if word in lexicon.function or word in lexicon.negators:
        return True
    base = lexicon.stem(word)
    return base in lexicon.opposites or base in lexicon.rivals


def _words(raw: LanguageData, name: str) -> WordSet:
    return frozenset(raw.get(name, "").split())


def _stems_and_phrases(words: list[str], suffixes: tuple[str, ...]) -> WordSet:
    """Return the stems of *words*; of several words together, the phrase as it is."""
    kept: set[str] = set()
    for word in words:
        if " " in word:
            kept.add(word)
        else:
            kept.add(stem(word, suffixes))
    return frozenset(kept)


def _opposites(table: str, suffixes: tuple[str, ...]) -> dict[str, WordSet]:
    """Return the opposites of each stem in lines of "open / closed"."""
    opposites: dict[str, set[str]] = {}
    for pair in re.split(r"[;\n]+", table.strip()):
        one, other = (_stem_phrase(side, suffixes) for side in pair.split("/"))
        if one != other:
            opposites.setdefault(one, set()).add(other)
            opposites.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in opposites.items()}


def _negation_phrases(
    not_negating: list[str], negating: list[str]
) -> dict[str, list[NegationPhrase]]:
    phrases = [
        NegationPhrase(line.split(), denies=False) for line in not_negating
    ]
    phrases += [NegationPhrase(line.split(), denies=True) for line in negating]
    by_first_word: dict[str, list[NegationPhrase]] = {}
    for phrase in phrases:
        by_first_word.setdefault(phrase.words[0], []).append(phrase)
    return by_first_word


def _stem_phrase(phrase: str, suffixes: tuple[str, ...]) -> str:
    return " ".join(stem(word, suffixes) for word in phrase.split())


def _rivals(table: str, suffixes: tuple[str, ...]) -> dict[str, frozenset[int]]:
    """Return for each stem the lines of *table* that it is in; words of one line exclude others."""
    lines_by_stem: dict[str, set[int]] = {}
    for number, line in enumerate(table.strip().splitlines()):
        for word in line.split(","):
            lines_by_stem.setdefault(stem(word.strip(), suffixes), set()).add(
                number
            )
    return {word: frozenset(sets) for word, sets in lines_by_stem.items()}


def _months(raw: LanguageData) -> dict[str, int]:
    return {**_numbered(raw["months"]), **_numbered(raw["months_short"])}


def _numbered(words: str) -> dict[str, int]:
    """Return the number of each of *words*, from 1 on."""
    return {word: number for number, word in enumerate(words.split(), 1)}


def _numbers(table: str) -> dict[str, float]:
    words = table.split()
    return {
        word: float(value)
        for word, value in zip(words[::2], words[1::2], strict=True)
    }


def _units(table: str) -> dict[str, Unit]:
    """Return each unit of a table with entries "km length 1000", apart by ";" or line."""
    units: dict[str, Unit] = {}
    for entry in re.split(r"[;\n]+", table):
        if entry.strip():
            word, kind, factor = entry.split()
            units[word] = Unit(kind, float(factor))
    return units
