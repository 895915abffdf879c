"""Write the day for what means another one where it is read later: "on 2026-11-29" for "tomorrow".

Only a time that is itself the value of a claim is written so; one that dates a claim is kept beside
it.
"""

from collections.abc import Iterable
from datetime import timedelta

from companion.language.claims.grammar import Grammar
from companion.language.detect import read_language_data
from companion.language.sentences import Words, tokenize
from companion.language.times.calendar import Stretch
from companion.language.times.mentions import Mention

_DAY = timedelta(days=1)
_WEEK = timedelta(days=7)
_LED = ("at", "none", "ago")  # roles whose "on" and "in" go with the time


def write_days(
    words: Words, mentions: Iterable[Mention], shift: int, grammar: Grammar
) -> Words:
    """Return the *words* of a clause with the days that its *mentions* mean, behind "on" or "in".

    The places of *mentions* are *shift* characters later among *words*.
    """
    for mention in mentions:
        words = _put_day(words, mention, shift, grammar, is_value=False)
    return words


def write_value(
    value: Words, mentions: Iterable[Mention], shift: int, grammar: Grammar
) -> Words:
    """Return the words of a *value* with the days that *mentions* mean, without "on"."""
    for mention in mentions:
        value = _put_day(value, mention, shift, grammar, is_value=True)
    return value


def _put_day(
    words: Words,
    mention: Mention,
    shift: int,
    grammar: Grammar,
    *,
    is_value: bool,
) -> Words:
    """Return *words* with the day that *mention* means in the place of its words."""
    said = _say(mention.stretch, grammar.language)
    if mention.relative is None or not said:
        return words
    start, end = mention.relative
    if mention.role in _LED:
        start = min(start, mention.start)
    before, after = _words_around(words, shift + start, shift + end)
    if len(before) + len(after) == len(words):
        return words
    if is_value or _ends_in_preposition(before, grammar):
        said = said.partition(" ")[2]  # "verschoben auf"
    return [*before, *_tokens_of(said, shift + end), *after]


def _ends_in_preposition(words: Words, grammar: Grammar) -> bool:
    return any(grammar.has("prepositions", word.low) for word in words[-1:])


def leave_out_day(words: Words, mention: Mention, shift: int) -> Words:
    """Return *words* without the one that means another day where it is read later."""
    if mention.relative is None:
        return words
    start, end = mention.relative
    before, after = _words_around(words, shift + start, shift + end)
    return [*before, *after]


def _words_around(words: Words, start: int, end: int) -> tuple[Words, Words]:
    """Return the words before *start*, and those from *end* on."""
    before: Words = []
    after: Words = []
    for word in words:
        if word.start < start:
            before.append(word)
        elif word.start >= end:
            after.append(word)
    return before, after


def _tokens_of(said: str, at: int) -> Words:
    """Return the words of *said* as words that *at* this place of the text were left out."""
    words = tokenize(said, 0, len(said))
    return [word._replace(start=at, end=at) for word in words]


def _say(stretch: Stretch, language: str) -> str:
    """Return a day, a week, a month or a year behind its preposition; "" for another time."""
    data = read_language_data(language, "time")
    written = data.get("written", {})
    start = stretch.start
    unit: str = stretch.precision
    if unit in ("hour", "minute"):
        unit = "day"  # its hour stands behind it: "tomorrow at 9"
    elif stretch.end - start == _WEEK:
        unit = "week"
    elif unit == "day" and stretch.end - start != _DAY:
        return ""  # a weekend
    if unit not in written:
        return ""
    names = {number: name for name, number in reversed(data["months"].items())}
    year, week, _ = start.isocalendar()
    said: str = written[unit].format(
        day=f"{start:%Y-%m-%d}",
        week=week,
        year=year if unit == "week" else start.year,
        month=names[start.month].capitalize(),
    )
    return said
