"""Read a note that is one measurement and nothing else: "81.2 kg this morning", "BP 132/85".

Two measurements of one quantity contradict nobody: they are rows of one series. A note that says
anything beside the quantity, its value and the occasion is no measurement: precision comes first,
because a note that is not read here is only kept as it is. What is no measurement: a price, a
number that names something, a wish or a plan, an amount of goods.
"""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from companion.language.measure_words import (
    MEASURED_IN,
    MeasureWords,
    Quantity,
    measure_words,
)
from companion.language.measures.written_values import WrittenValue, find_value
from companion.language.times.phrases import time_reader

VERSION = "measurements-2"

_MAX_CHARACTERS = 120
_MAX_NAME_WORDS = 4
_MAX_LOOSE_WORDS = 3
_WITH_VERBS = ("en", "de")  # languages whose verbs are known
# absolute days lie before it, and "tomorrow" behind it
_SEEN_FROM = datetime(9000, 1, 1, 12)  # noqa: DTZ001 - naive is UTC here
_PLANNED = ("until", "by", "since", "onward", "before", "after", "duration")
# a clock that shows more is no time of day
_HOURS_OF_DAY = 24
# physical kinds that an unknown name may have behind a colon: "waist: 84 cm"
_PHYSICAL = ("mass", "length", "temperature", "rate", "glucose")
# a bare mass is a person's own weight within these kilograms
_OWN_WEIGHT = (30.0, 250.0)

_NAME = re.compile(r"[^\d_|&+*/\\@#$€£%]+")
_COLON = re.compile(r"\s*[:=]\s*\Z")
_MARK = re.compile(
    r"[:=,.;()\u2013\u2014-]+(?=\s|\Z)|(?<!\w)[:=,.;()\u2013\u2014-]+"
)
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")


class Measurement(NamedTuple):
    """One value of one quantity, as a note tells it."""

    quantity: str  # as the person says it; "" where only the unit says it
    key: str  # of the quantity, alike in every language; "" where none is said
    value: str  # as told: "81.2 kg", "132/85", "8 km in 44:10"
    numbers: tuple[float, ...]  # one, or two, in base units
    kind: str  # what the unit measures: "mass", "pair"; "" without a unit
    unit: str  # as told
    occasion: str  # what else is said: "this morning", "after the run"
    language: str  # of the words that name it; "" where none does
    # a name and a bare number: one such note may be anything ("bus 42")
    loose: bool = False


class _Around(NamedTuple):
    """The words around a value, without times and occasions."""

    name: str
    occasion: str


def read_measurement(words: str) -> Measurement | None:
    """Return the measurement that a note's *words* are, None where they are anything else."""
    return _read(words, nameless=False)


def read_value(words: str) -> Measurement | None:
    """Return what `read_measurement` does, and a value that no word names too, with the key "".

    A correction need not say again what it corrects: "no, 80.2".
    """
    return _read(words, nameless=True)


def read_named_number(words: str) -> Measurement | None:
    """Return what `read_measurement` does, and any name with a bare number: "Mood: 6".

    Only several of one name show that it is a quantity: one alone is `loose`.
    """
    return _read(words, nameless=False, loose=True)


def is_same_series(one: str, other: str) -> bool:
    """Tell whether two notes are two values of one quantity: neither contradicts the other."""
    first = read_measurement(one)
    if first is None:
        return False
    second = read_measurement(other)
    return second is not None and find_difference(first, second) == ""


def find_difference(one: Measurement, other: Measurement) -> str:
    """Return why two measurements are of two series; "" where one series holds both.

    Units of one kind are compatible (kg and lb): each value stays as it was told. A value without a
    unit is compatible with any, as people leave out the unit that they always use. Of a quantity
    that the program knows only its own units are read, so a run by distance and one by time are
    of one series.
    """
    if one.key != other.key:
        return f"two quantities: {one.key} and {other.key}"
    if is_known_quantity(one.key):
        return ""
    if one.kind == other.kind or not one.kind or not other.kind:
        return ""
    return f"two kinds of unit: {one.kind} and {other.kind}"


def is_known_quantity(key: str) -> bool:
    """Tell whether a quantity has a name of its own in the data, in any language."""
    return any(name_of(key, language) for language in MEASURED_IN)


def name_of(key: str, language: str) -> str | None:
    """Return what a *language* calls a quantity, None where its *key* is a person's own words."""
    return measure_words().names.get((key, language))


def _read(
    words: str, *, nameless: bool, loose: bool = False
) -> Measurement | None:
    text = words.strip().rstrip("!").rstrip()
    if len(text) > _MAX_CHARACTERS or not re.search(r"\d", text):
        return None
    if re.search(r"[\n\r?!|<>\[\]{}]", text):
        return None
    known = measure_words()
    if _is_unmeasured(text, known):
        return None
    value = find_value(text, known)
    if value is None or _is_date(text, value):
        return None
    around = _read_around(text, value, known)
    if around is None:
        return None
    measured = _measurement(text, value, around, nameless=nameless)
    if measured is None and loose:
        return _name_number(text, value, around, known)
    return measured


def _is_unmeasured(text: str, known: MeasureWords) -> bool:
    """Tell whether a word says that the value is wished, allowed or planned.

    Between two numbers "over" only joins them.
    """
    for match in _WORD.finditer(text.lower()):
        word = match.group()
        if word in known.pairs and _is_between_numbers(text, match):
            continue
        if word in known.unmeasured:
            return True
        if word.startswith(known.unmeasured_prefixes):
            return True
    return False


def _is_date(text: str, value: WrittenValue) -> bool:
    """Tell whether a number is part of a date: "weight on February 5"."""
    if value.kind:
        return False
    for language in MEASURED_IN:
        for mention in time_reader(language).mentions(text, _SEEN_FROM):
            if mention.start <= value.start < mention.end:
                return True
    return False


def _is_between_numbers(text: str, place: re.Match[str]) -> bool:
    before = text[: place.start()].rstrip()[-1:]
    behind = text[place.end() :].lstrip()[:1]
    return before.isdigit() and behind.isdigit()


# -- the value ------------------------------------------------------------------------------------


def _in_hours(value: WrittenValue) -> WrittenValue:
    """Return "6:40" as hours and minutes, where minutes and seconds were read."""
    if value.text.count(":") != 1:
        return value
    return value._replace(numbers=(60 * value.numbers[0],))


# -- what stands around it ------------------------------------------------------------------------


def _read_around(
    text: str, value: WrittenValue, known: MeasureWords
) -> _Around | None:
    """Return the name and the occasion beside a value; None where a time lies ahead."""
    inside = ""
    if value.kind == "length" and len(value.numbers) == 2:
        inside = _between_words(text, value)
    beside = f"{text[: value.start]} {inside} | {text[value.end :]}"
    occasions: list[str] = []
    for language in MEASURED_IN:
        for mention in reversed(
            time_reader(language).mentions(beside, _SEEN_FROM)
        ):
            if (
                mention.role in _PLANNED
                or mention.stretch.start.date() > _SEEN_FROM.date()
            ):
                return None
            occasions.insert(0, beside[mention.start : mention.end])
            beside = _blanked(beside, mention.start, mention.end)
    for match in reversed(list(known.occasion.finditer(beside))):
        occasions.append(match.group())
        beside = _blanked(beside, match.start(), match.end())
    name = _MARK.sub(" ", beside)
    return _Around(" ".join(name.split()), ", ".join(occasions))


def _blanked(text: str, start: int, end: int) -> str:
    return text[:start] + " " * (end - start) + text[end:]


def _between_words(text: str, value: WrittenValue) -> str:
    """Return the words between a distance and its time: "run" of "10 km run in 55:02"."""
    inner = text[value.start : value.end]
    words: list[str] = []
    for word in inner.split():
        if word not in value.text.split():
            words.append(word)
    return " ".join(words)


def _measurement(
    text: str, value: WrittenValue, around: _Around, *, nameless: bool
) -> Measurement | None:
    """Return the measurement of a value and the name beside it, None where they are none."""
    known = measure_words()
    name = " ".join(_name_words(around.name, known))
    if not name:
        return _unnamed(value, around, known, nameless=nameless)
    if not _NAME.fullmatch(name):
        return None
    quantity = known.quantities.get(name.lower())
    if quantity is not None:
        if not _has_kind(quantity, value):
            return None
        if value.kind == "clock" and "length" not in quantity.kinds:
            value = _in_hours(value)
        return _named(name, quantity.key, value, around, quantity.language)
    return _own_name(text, name, value, around)


def _name_words(name: str, known: MeasureWords) -> list[str]:
    """Return the words that name a quantity, which stand on one side of its value."""
    sides: list[list[str]] = []
    for side in name.split("|"):
        words = [
            word for word in side.split() if word.lower() not in known.fillers
        ]
        if words:
            sides.append(words)
    if len(sides) > 1:
        return ["|"]  # words on both sides say more than a name
    return sides[0] if sides else []


def _has_kind(quantity: Quantity, value: WrittenValue) -> bool:
    if value.kind == "pair":
        pressure = value.unit.lower() in ("", "mmhg")
        return "pair" in quantity.kinds and pressure
    if value.kind == "clock":
        return "time" in quantity.kinds
    return (value.kind or "bare") in quantity.kinds


def _unnamed(
    value: WrittenValue, around: _Around, known: MeasureWords, *, nameless: bool
) -> Measurement | None:
    """Return a value that only its unit names: kilograms of a person, mmHg."""
    key = ""
    if value.kind == "pair" and value.unit.lower() == "mmhg":
        key = "blood pressure"
    exact = bool(re.search(r"[.,]", value.text))
    if value.kind == "mass" and (around.occasion or exact):
        low, high = _OWN_WEIGHT
        if low <= value.numbers[0] <= high:
            key = "weight"
    if not key and not nameless:
        return None
    return _named("", key, value, around, "")


def _own_name(
    text: str, name: str, value: WrittenValue, around: _Around
) -> Measurement | None:
    """Return a measurement of what the program has no word for: "Heizung Zählerstand 48213"."""
    words = name.lower().split()
    if len(words) > _MAX_NAME_WORDS or value.kind == "pair":
        return None
    known = measure_words()
    if value.kind == "clock":
        if not _is_duration(value):
            return None
        language = _language_of_head(words[-1], known)
        return _named(name, " ".join(words), value, around, language)
    language = _language_of_head(words[-1], known)
    measuring = value.unit.lower() in known.measuring
    colon = bool(_COLON.search(text[: value.start]))
    physical = colon and value.kind in _PHYSICAL
    qualified = len(words) > 1 or words[-1] not in known.heads
    if not measuring and not physical and not (language and qualified):
        return None
    return _named(name, " ".join(words), value, around, language)


def _name_number(
    text: str, value: WrittenValue, around: _Around, known: MeasureWords
) -> Measurement | None:
    """Return the bare number at the end of a note that only names it before."""
    words = around.name.replace("|", " ").split()
    behind = _MARK.sub(" ", text[value.end :]).strip()
    is_aside = text[: value.start].endswith(("(", "#"))
    if value.kind or behind or is_aside or value.numbers[0] < 0:
        return None
    if not 0 < len(words) <= _MAX_LOOSE_WORDS:
        return None
    if any(word.lower() in known.fillers for word in words):
        return None  # "My locker is 31" says what something is
    if _has_verb_inside(words):
        return None
    name = " ".join(words)
    if not _NAME.fullmatch(name):
        return None
    quantity = known.quantities.get(name.lower())
    key, language = name.lower(), ""
    if quantity is not None:
        key, language = quantity.key, quantity.language
    return _named(name, key, value, around, language)._replace(loose=True)


def _has_verb_inside(words: Sequence[str]) -> bool:
    """Tell whether a verb stands between two of *words*: "Staging runs Postgres" names nothing."""
    # only notes of a few words that end with a number need it
    from companion.language.claims.grammar import grammar_of

    grammars = [grammar_of(language) for language in _WITH_VERBS]
    return any(
        grammar.lemma(word.lower()) is not None
        for grammar in grammars
        for word in words[1:-1]
    )


def _is_duration(value: WrittenValue) -> bool:
    """Tell whether "41:12" can be no time of day: how long something took."""
    parts = value.text.split(":")
    return len(parts) > 2 or int(parts[0]) >= _HOURS_OF_DAY


def _language_of_head(word: str, known: MeasureWords) -> str:
    """Return the language of a noun of measure that *word* is, or in German ends with; else ""."""
    language = known.heads.get(word)
    if language is not None:
        return language
    for head, of in known.heads.items():
        if of == "de" and word.endswith(head):
            return of
    return ""


def _named(
    name: str, key: str, value: WrittenValue, around: _Around, language: str
) -> Measurement:
    kind = value.kind
    if kind == "clock":
        kind = "time"
    return Measurement(
        name,
        key,
        value.text,
        value.numbers,
        kind,
        value.unit,
        around.occasion,
        language,
    )
