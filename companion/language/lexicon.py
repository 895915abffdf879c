"""What the light relater knows of a language: `data/<language>/relate.toml`, read once and made
ready to look up.
"""

import os
import re
import tomllib
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from companion.language.detect import FOLDER, LANGUAGES, Tally, best, data, tally, together
from companion.language.stems import stem


class Unit(NamedTuple):
    """What a unit measures, and how many base units it is."""

    kind: str
    factor: float


class Lexicon(NamedTuple):
    """One language's words, by the stems that `stem` makes of them."""

    language: str
    function: frozenset[str]
    articles: frozenset[str]  # words whose presence changes nothing that is said
    negators: frozenset[str]
    clause: frozenset[str]  # where the reach of a negation ends
    indefinite: frozenset[str]
    phrases: dict[str, list[tuple[list[str], bool]]]  # by their first word; True: the phrase denies
    change: frozenset[str]  # stems
    change_phrases: tuple[str, ...]
    correcting: frozenset[str]  # of the changes, what only corrects: nothing became different
    refuting: tuple[str, ...]  # phrases that call wrong what follows
    adding: frozenset[str]  # "also": beside another value, not in its place
    instead: frozenset[str]  # "but": what stands behind it is so in the place of what was denied
    bounding: frozenset[str]  # "below": a bound, and no value
    leaving: frozenset[str]  # "from" of "from Porto to Lisbon"
    reaching: frozenset[str]  # "to" of it
    single: tuple[str, ...]  # predicates with one value at a time
    multiple: tuple[str, ...]
    copula: frozenset[str]
    owned: frozenset[str]  # before a copula, these make it single-valued
    suffixes: tuple[str, ...]
    prefixes: tuple[str, ...]
    opposites: dict[str, frozenset[str]]  # stems; of a phrase, its stems joined by a space
    rivals: dict[str, frozenset[int]]  # the sets of mutually exclusive words that a stem is in
    months: dict[str, int]
    numbers: dict[str, float]
    ones: frozenset[str]  # words for one of something, which often are only an article or a pronoun
    ordinals: dict[str, int]
    units: dict[str, Unit]
    comma: bool  # a comma is the decimal point

    def stem(self, word: str) -> str:
        """Return *word* without its ending, so that its forms meet; it is no dictionary form."""
        return stem(word, self.suffixes)


@lru_cache(maxsize=8)
def lexicon(language: str) -> Lexicon:
    """Return what is known of *language*, one of `LANGUAGES`."""
    raw = data(language, "relate")
    suffixes = tuple(sorted(raw["suffixes"], key=len, reverse=True))
    change = [phrase.lower() for phrase in raw["change"]]
    return Lexicon(
        language,
        function=frozenset(raw["function"].split()),
        articles=frozenset(raw["articles"].split()),
        negators=frozenset(raw["negators"].split()),
        clause=frozenset(raw["clause"].split()),
        indefinite=frozenset(raw["indefinite"].split()),
        phrases=_phrases(raw["not_negating"], raw["negating"]),
        change=frozenset(stem(word, suffixes) for word in change if " " not in word),
        change_phrases=tuple(phrase for phrase in change if " " in phrase),
        correcting=frozenset(
            w if " " in w else stem(w, suffixes) for w in raw.get("correcting", [])
        ),
        refuting=tuple(raw.get("refuting", [])),
        adding=frozenset(raw.get("adding", "").split()),
        instead=frozenset(raw.get("instead", "").split()),
        bounding=frozenset(raw.get("bounding", "").split()),
        leaving=frozenset(raw["leaving"].split()),
        reaching=frozenset(raw["reaching"].split()),
        single=tuple(raw["single"]),
        multiple=tuple(raw["multiple"]),
        copula=frozenset(raw["copula"].split()),
        owned=frozenset(raw["owned"].split()),
        suffixes=suffixes,
        prefixes=tuple(raw["negative_prefixes"]),
        opposites=_opposites(raw["antonyms"], suffixes),
        rivals=_rivals(raw["exclusive"], suffixes),
        months=_months(raw),
        numbers=_numbers(raw["numbers"]),
        ones=frozenset(raw.get("ones", "").split()),
        ordinals={name: number for number, name in enumerate(raw["ordinals"].split(), 1)},
        units=_units(raw["units"]),
        comma=raw["decimal"] == ",",
    )


@lru_cache(maxsize=1)
def symbols() -> dict[str, Unit]:
    """Return the unit symbols that every language shares; their case matters."""
    with open(os.path.join(FOLDER, "units.toml"), "rb") as file:
        return _units(tomllib.load(file)["symbols"])


@lru_cache(maxsize=1)
def fingerprint() -> str:
    """Return 12 hex digits that change with any of the relater's words."""
    import hashlib

    names = [
        "function-words.toml",
        "units.toml",
        *(os.path.join(name, "relate.toml") for name in sorted(LANGUAGES)),
    ]
    digest = hashlib.sha256()
    for name in names:
        with open(os.path.join(FOLDER, name), "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()[:12]


def language_of_pair(
    first: str, second: str, tallied: Callable[[str], Tally] = tally
) -> str | None:
    """Return the language of two statements, or None where no rules exist for it or the two differ.

    Little words decide; statements too short to have any go by the other words that the rules know.
    Who asks about one text many times gives a *tallied* that remembers.
    """
    one, other = tallied(first), tallied(second)
    both = together(one, other)
    if not both:
        return _by_words(first + " " + second)
    languages = {best(each.counts, both) for each in (one, other) if each.counts}
    return languages.pop() if len(languages) == 1 else None


def _by_words(text: str) -> str | None:
    words = re.findall(r"[^\W\d_]+", text.lower())
    known = {name: sum(_knows(lexicon(name), word) for word in words) for name in LANGUAGES}
    best = max(LANGUAGES, key=lambda name: (known[name], -LANGUAGES.index(name)))
    return best if known[best] else None


def _knows(words: Lexicon, word: str) -> bool:
    stem = words.stem(word)
    return (
        word in words.function
        or word in words.negators
        or stem in words.opposites
        or stem in words.rivals
    )


def _opposites(text: str, suffixes: tuple[str, ...]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for pair in re.split(r"[;\n]+", text.strip()):
        one, other = (_phrase(side.split(), suffixes) for side in pair.strip().split("/"))
        if one != other:
            found.setdefault(one, set()).add(other)
            found.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in found.items()}


def _phrases(
    not_negating: list[str], negating: list[str]
) -> dict[str, list[tuple[list[str], bool]]]:
    found: dict[str, list[tuple[list[str], bool]]] = {}
    for denies, phrases in ((False, not_negating), (True, negating)):
        for phrase in phrases:
            found.setdefault(phrase.split()[0], []).append((phrase.split(), denies))
    return found


def _phrase(words: list[str], suffixes: tuple[str, ...]) -> str:
    return " ".join(stem(word, suffixes) for word in words)


def _rivals(text: str, suffixes: tuple[str, ...]) -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, line in enumerate(text.strip().splitlines()):
        for word in line.split(","):
            found.setdefault(stem(word.strip(), suffixes), set()).add(number)
    return {word: frozenset(sets) for word, sets in found.items()}


def _months(raw: dict[str, Any]) -> dict[str, int]:
    both = (raw["months"].split(), raw["months_short"].split())
    return {name: number for names in both for number, name in enumerate(names, 1)}


def _numbers(text: str) -> dict[str, float]:
    words = text.split()
    return {word: float(value) for word, value in zip(words[::2], words[1::2], strict=True)}


def _units(text: str) -> dict[str, Unit]:
    entries = (entry.split() for entry in re.split(r"[;\n]+", text.strip()) if entry.strip())
    return {word: Unit(kind, float(factor)) for word, kind, factor in entries}
