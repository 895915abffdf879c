"""Find the notes that are values of one series, its beginning, and the value that a note corrects.

Pure: the values told so far come in, and the same values give the same series in any order.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from companion.language.detect import language_of
from companion.language.measure_words import MeasureWords, measure_words
from companion.language.measurements import (
    Measurement,
    find_difference,
    is_known_quantity,
    name_of,
    read_named_number,
    read_value,
)
from companion.pages.series_table import Row

LEAST_VALUES = 3
LEAST_DAYS = 2

_VALUE = r"\d(?:[\d.,:/]*\d)?(?: ?°\s?[CF]| ?%| ?[^\W\d_]+)?"
# what separates a word of correction from what it corrects: "no, 80.2"; "no. 80" is a number
_SEPARATED = re.compile(r"\s*[,:;!\u2013\u2014-]+\s*")
_SPACE = re.compile(r"\s+")
_SURE_LENGTH = 4  # letters of a word that corrects without a separator
# a nameless correction lies this near to what it corrects, as a share of it
_NEAR = (0.5, 2.0)
_DAY_LENGTH = len("2026-11-22")


class DatedValue(NamedTuple):
    """One value of a quantity, with the note that told it."""

    id: str  # of the statement
    when: str  # in the note's own time: "2026-11-22 07:10", or "2026-11-22"
    words: str  # of the note, byte for byte
    measurement: Measurement

    @property
    def day(self) -> str:
        """The day of the value."""
        return self.when[:_DAY_LENGTH]


class Series(NamedTuple):
    """The values of one quantity, in the order of (when, id)."""

    key: (
        str  # of the subject: alike on every machine that knows the same values
    )
    title: str
    language: str  # of the header of its table
    values: tuple[DatedValue, ...]
    begins: bool  # enough values on enough days for a page of its own
    reason: str  # ids and numbers, no words of a note


class Correction(NamedTuple):
    """A note that says that a value was told wrong."""

    measurement: (
        Measurement  # what is right; its key is "" where no quantity is named
    )
    wrong: tuple[
        float, ...
    ]  # the value that it calls wrong, as written; else empty


def read_dated_value(id: str, when: str, words: str) -> DatedValue | None:
    """Return the value that a note tells, None where the note is anything but a measurement."""
    measurement = read_named_number(words)
    if measurement is None:
        return None
    return DatedValue(id, when, words, measurement)


def row_of(value: DatedValue) -> Row:
    """Return the row of the series' table that a value becomes."""
    return Row(value.id, value.when, value.measurement.value, value.words)


# -- when is it a series --------------------------------------------------------------------------


def group_series(values: Iterable[DatedValue]) -> list[Series]:
    """Return the series of *values*, by key; with `begins` where a page is due.

    A page begins at the third value on two days, as it does for any other subject. Values without a
    unit go with those of the unit that most others have; two kinds of unit are two series.
    """
    by_key: dict[str, list[DatedValue]] = {}
    for value in sorted(values, key=_rank):
        by_key.setdefault(value.measurement.key, []).append(value)
    series: list[Series] = []
    for key in sorted(by_key):
        series += _split_by_unit(key, by_key[key])
    return series


def belongs_to(value: DatedValue, series: Series) -> bool:
    """Tell whether *value* is one more of an existing *series*."""
    return all(
        find_difference(value.measurement, other.measurement) == ""
        for other in series.values
    )


def _rank(value: DatedValue) -> tuple[str, str]:
    return value.when, value.id


def _split_by_unit(key: str, values: list[DatedValue]) -> list[Series]:
    counts: dict[str, int] = {}
    for value in values:
        kind = value.measurement.kind
        if kind:
            counts[kind] = counts.get(kind, 0) + 1
    if is_known_quantity(key) or len(counts) < 2:
        return [_series(key, values)]
    common = min(counts, key=lambda kind: (-counts[kind], kind))
    series: list[Series] = []
    for kind in sorted(counts):
        own = [
            value
            for value in values
            if (value.measurement.kind or common) == kind
        ]
        series.append(_series(f"{key} ({kind})", own))
    return series


def _series(key: str, values: list[DatedValue]) -> Series:
    days = {value.day for value in values}
    begins = len(values) >= LEAST_VALUES and len(days) >= LEAST_DAYS
    begins = begins and _is_measured(values)
    language = _language_of(values)
    reason = f"{len(values)} values of one quantity on {len(days)} days"
    return Series(
        key,
        _title_of(values, language),
        language,
        tuple(values),
        begins,
        reason,
    )


def _is_measured(values: Sequence[DatedValue]) -> bool:
    """Tell whether *values* are surely of a quantity: bare numbers that differ, or any other."""
    told = [value.measurement for value in values]
    numbers = {one.numbers for one in told}
    return len(numbers) > 1 or not all(one.loose for one in told)


def _language_of(values: Sequence[DatedValue]) -> str:
    """Return the language that most names of the quantity are in, else that of all words."""
    counts: dict[str, int] = {}
    for value in values:
        language = value.measurement.language
        if language:
            counts[language] = counts.get(language, 0) + 1
    if counts:
        return min(counts, key=lambda name: (-counts[name], name))
    text = "\n".join(value.words for value in values)
    return language_of(text) or "en"


def _title_of(values: Sequence[DatedValue], language: str) -> str:
    """Return the name of the quantity in *language*, else as the first value names it."""
    first = values[0].measurement
    known = name_of(first.key, language) or name_of(first.key, "en")
    if known is not None:
        return known
    return first.quantity[:1].upper() + first.quantity[1:]


# -- corrections ----------------------------------------------------------------------------------


def read_correction(words: str) -> Correction | None:
    """Return what a note corrects: "no, 80.2", "nicht 81,2 sondern 80,2"; None for any other note.

    What is right may lack its quantity; `find_corrected` says which value of the day is meant.
    """
    known = measure_words()
    text = words.strip()
    exchanged = _read_exchange(text, known)
    if exchanged is not None:
        return exchanged
    rest = _without_correction(text, known)
    if rest == text:
        return None
    exchanged = _read_exchange(rest, known)
    if exchanged is not None:
        return exchanged
    right = read_value(rest)
    if right is None:
        return None
    return Correction(right, ())


def find_corrected(
    correction: Correction, day: str, values: Iterable[DatedValue]
) -> DatedValue | None:
    """Return which of *values* a note of that *day* corrects, the latest that it may mean.

    None where it means none of them: then it is a note like any other. Values that were corrected
    already must not be handed in.
    """
    meant = [
        value
        for value in values
        if value.day == day and _may_mean(correction, value)
    ]
    return max(meant, key=_rank, default=None)


def complete_correction(
    correction: Correction, corrected: DatedValue
) -> Measurement:
    """Return what is right, with the quantity of the value that it corrects."""
    right = correction.measurement
    if right.key:
        return right
    old = corrected.measurement
    return right._replace(
        quantity=old.quantity, key=old.key, language=old.language
    )


def _read_exchange(text: str, known: MeasureWords) -> Correction | None:
    """Return the correction of a note that gives both values: "80.2, not 81.2"."""
    for pattern in known.not_but:
        filled = pattern.replace("{old}", f"(?P<old>{_VALUE})")
        filled = filled.replace("{new}", f"(?P<new>{_VALUE})")
        match = re.search(
            rf"(?<![\w.,]){filled}(?![\w.,]\d)", text, re.IGNORECASE
        )
        if match is None:
            continue
        rest = text[: match.start()] + match["new"] + text[match.end() :]
        right = read_value(rest)
        wrong = read_value(_number_of(match["old"]))
        if right is not None and wrong is not None:
            return Correction(right, wrong.numbers)
    return None


def _number_of(value: str) -> str:
    """Return a value without its unit, as numbers are compared as written."""
    match = re.match(r"[\d.,:/]*\d", value)
    if match is None:
        return value
    return match.group()


def _without_correction(text: str, known: MeasureWords) -> str:
    """Return *text* without the words of correction before and behind it."""
    while match := known.corrections.match(text):
        separated = _SEPARATED.match(text, match.end())
        if separated is None and len(match.group()) >= _SURE_LENGTH:
            separated = _SPACE.match(text, match.end())
        if separated is None:
            break
        text = text[separated.end() :]
    for match in known.corrections.finditer(text):
        before = text[: match.start()].rstrip()
        behind = text[match.end() :].strip(" ).!")
        if not behind and before.endswith((",", "(", ":", ";", "-")):
            return before[:-1].rstrip()
    return text


def _may_mean(correction: Correction, value: DatedValue) -> bool:
    right = correction.measurement
    told = value.measurement
    if correction.wrong and correction.wrong != _as_written(told):
        return False
    if right.key:
        return find_difference(right, told) == ""
    if len(right.numbers) != len(told.numbers):
        return False
    if right.kind and told.kind and right.kind != told.kind:
        return False
    if correction.wrong:
        return True
    return _is_near(right, told)


def _as_written(told: Measurement) -> tuple[float, ...]:
    """Return the numbers of a value in the unit in which it was told."""
    written = read_value(_number_of(told.value))
    if written is None:
        return told.numbers
    return written.numbers


def _is_near(right: Measurement, told: Measurement) -> bool:
    low, high = _NEAR
    for one, other in zip(_as_written(right), _as_written(told), strict=False):
        if not low * other <= one <= high * other:
            return False
    return True
