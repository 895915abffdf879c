"""The words by which measurements are read, of every language that has them, made ready to look up.

They are read once from `data/<language>/measure.toml`. A note of three words shows no language, so
the words of all languages are looked up together; the first language that has a word explains it.
"""

import os
import re
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from companion.language.detect import (
    FOLDER,
    LanguageData,
    WordSet,
    read_language_data,
)
from companion.language.lexicon import Unit, lexicon_of, unit_symbols

MEASURED_IN = ("en", "de")  # languages that have a measure.toml
# degrees of any scale measure one thing, and so do two symbols of a clock
_ONE_KIND = {
    "celsius": "temperature",
    "fahrenheit": "temperature",
    "degrees": "temperature",
}
# what a price or a time of day is given in measures nothing
_NO_MEASURE = ("usd", "eur", "gbp", "jpy", "chf", "clock", "months", "data")


class Quantity(NamedTuple):
    """Something that people measure day by day: their weight, their sleep."""

    key: str
    kinds: frozenset[str]  # of unit; "bare" is no unit, "pair" two numbers
    language: str  # of the words by which it was named


class MeasureWords(NamedTuple):
    """The words of all languages by which measurements are read."""

    quantities: Mapping[str, Quantity]  # by the words for it
    names: Mapping[tuple[str, str], str]  # by key and language
    heads: Mapping[str, str]  # language by noun
    units: Mapping[str, Unit]  # by symbol or word, in lower case
    exact_units: Mapping[str, Unit]  # symbols whose case matters
    measuring: WordSet  # units that only measurements have
    fillers: WordSet
    occasion: re.Pattern[str]
    pairs: WordSet  # "over" of 132 over 85
    hours: WordSet
    minutes: WordSet
    unmeasured: WordSet
    unmeasured_prefixes: tuple[str, ...]
    corrections: re.Pattern[str]  # before or behind a note
    not_but: tuple[str, ...]  # patterns with {old} and {new}


@lru_cache(maxsize=1)
def measure_words() -> MeasureWords:
    """Return the words of all languages, read once."""
    tables = {name: read_language_data(name, "measure") for name in MEASURED_IN}
    words = [table["words"] for table in tables.values()]
    extra = _extra_units()
    return MeasureWords(
        _quantities(tables),
        _names(tables),
        _heads(tables),
        _units(extra),
        {**unit_symbols()},
        frozenset(extra),
        _joined(words, "fillers"),
        _occasions(words),
        _joined(words, "pair"),
        _joined(words, "hours"),
        _joined(words, "minutes"),
        _joined(words, "unmeasured"),
        tuple(sorted(_joined(words, "unmeasured_prefixes"))),
        _corrections(words),
        _not_but(words),
    )


def kind_of(unit: Unit) -> str:
    """Return what a *unit* measures; degrees of every scale measure temperature."""
    return _ONE_KIND.get(unit.kind, unit.kind)


def _quantities(tables: dict[str, LanguageData]) -> dict[str, Quantity]:
    found: dict[str, Quantity] = {}
    for language, table in tables.items():
        for key, quantity in table.items():
            if key == "words":
                continue
            kinds = frozenset(quantity["kinds"].split())
            for words in quantity["words"].split("|"):
                found.setdefault(words, Quantity(key, kinds, language))
    return found


def _names(tables: dict[str, LanguageData]) -> dict[tuple[str, str], str]:
    names: dict[tuple[str, str], str] = {}
    for language, table in tables.items():
        for key, quantity in table.items():
            if key != "words":
                names[key, language] = quantity["name"]
    return names


def _heads(tables: dict[str, LanguageData]) -> dict[str, str]:
    heads: dict[str, str] = {}
    for language, table in tables.items():
        for word in table["words"]["heads"].split():
            heads.setdefault(word, language)
    return heads


def _extra_units() -> dict[str, Unit]:
    path = os.path.join(FOLDER, "measure-units.toml")
    with open(path, "rb") as file:
        table = tomllib.load(file)["measuring"]
    units: dict[str, Unit] = {}
    for entry in table.split(";"):
        word, kind, factor = entry.split()
        units[word] = Unit(kind, float(factor))
    return units


def _units(extra: dict[str, Unit]) -> dict[str, Unit]:
    units: dict[str, Unit] = {}
    for language in MEASURED_IN:
        for word, unit in lexicon_of(language).units.items():
            units.setdefault(word, unit)
    for word, unit in unit_symbols().items():
        units.setdefault(word.lower(), unit)
    for word, unit in extra.items():
        units[word] = unit
    return {
        word: unit
        for word, unit in units.items()
        if not unit.kind.startswith(_NO_MEASURE)
    }


def _joined(tables: list[dict[str, str]], name: str) -> WordSet:
    words: set[str] = set()
    for table in tables:
        words.update(table[name].split())
    return frozenset(words)


def _alternatives(phrases: list[str]) -> str:
    """Return a pattern of *phrases*, the longest first."""
    ordered = sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
    return "|".join(re.escape(phrase) for phrase in ordered)


def _occasions(tables: list[dict[str, str]]) -> re.Pattern[str]:
    """Return a pattern of what a value may be told beside: "after the run"."""
    patterns: list[str] = []
    for table in tables:
        patterns.append(_alternatives(table["occasions"].split("|")))
        before = _alternatives(table["before_occasion"].split())
        within = _alternatives(table["in_occasion"].split())
        patterns.append(f"(?:{before})(?: (?:{within})){{1,3}}")
    return re.compile(rf"(?<!\w)(?:{'|'.join(patterns)})(?!\w)", re.IGNORECASE)


def _corrections(tables: list[dict[str, str]]) -> re.Pattern[str]:
    phrases: list[str] = []
    for table in tables:
        phrases += table["corrections"].split("|")
    return re.compile(
        rf"(?<!\w)(?:{_alternatives(phrases)})(?!\w)", re.IGNORECASE
    )


def _not_but(tables: list[dict[str, str]]) -> tuple[str, ...]:
    patterns: list[str] = []
    for table in tables:
        # a bar within brackets belongs to its alternative
        patterns += re.split(r"\|(?![^(]*\))", table["not_but"])
    return tuple(patterns)
