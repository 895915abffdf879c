"""Write the day for what means another one where it is read later: "on 2026-11-29" for "tomorrow".

Only a time that is itself the value of a claim is written so, and only where it is the whole of it;
one that dates a claim is kept beside it.
"""

from collections.abc import Sequence
from itertools import filterfalse
from typing import NamedTuple

from companion.language.claims.grammar import Grammar
from companion.language.detect import read_language_data
from companion.language.sentences import Token, Words, tokenize
from companion.language.times.calendar import Stretch, around
from companion.language.times.mentions import Mention

_LED = ("at", "none", "ago")  # roles whose "on" and "in" go with the time
_UNITS = ("day", "week", "month", "year")
_OWNS = ("'s", "\u2019s")


class _Parts(NamedTuple):
    """The words around the time that a clause names, and those that lead to it."""

    before: Words
    lead: Words  # "on", "end of"
    after: Words


def list_moving(
    mentions: Sequence[Mention], clause: str, grammar: Grammar
) -> Sequence[Mention]:
    """Return the *mentions* of a clause; none of one that tells what is always so."""
    return () if grammar.matches("clause.habit", clause) else mentions


def write_days(
    words: Words, mentions: Sequence[Mention], shift: int, grammar: Grammar
) -> Words:
    """Return the *words* of a clause with the day that it names, behind "on" as a date has it.

    The places of *mentions* are *shift* characters later among *words*. Of several days, as in
    "today or tomorrow", none is written; an English clause that a moving day opens tells of that
    day, and has no words left.
    """
    day = _find_only_day(mentions)
    if day is None:
        return words
    if day.relative is None:
        return words
    opens = bool(words) and shift + day.start <= words[0].start
    if opens and not grammar.v2:
        return []  # "Last week was hard", "Tomorrow is the deadline"
    return _put_day(words, day, shift, grammar)


def write_value(
    value: Words, mentions: Sequence[Mention], shift: int, grammar: Grammar
) -> Words:
    """Return the words of a *value* with the day that it names: "2026-09-11 at 9"."""
    day = _find_only_day(mentions)
    if day is None:
        return value
    written = _put_day(value, day, shift, grammar)
    if written != value and grammar.has("prepositions", written[0].low):
        return written[1:]
    return written


def leave_out_day(words: Words, mention: Mention, shift: int) -> Words:
    """Return *words* without the one that means another day where it is read later."""
    if mention.relative is None:
        return words
    start, end = mention.relative
    parts = _part(words, shift + start, shift + start, shift + end)
    return [*parts.before, *parts.after]


def _find_only_day(mentions: Sequence[Mention]) -> Mention | None:
    """Return the one time among *mentions* that is no hour; None where there are several."""
    days = list(filterfalse(_is_hour, mentions))
    return days[0] if len(days) == 1 else None


def _is_hour(mention: Mention) -> bool:
    is_hour = mention.stretch.precision in ("hour", "minute")
    return is_hour and mention.relative is None


def _put_day(
    words: Words, mention: Mention, shift: int, grammar: Grammar
) -> Words:
    """Return *words* with the day that *mention* means in the place of its words."""
    unit = _unit_of(mention.stretch)
    if mention.relative is None or not unit:
        return words
    first = shift + mention.relative[0]
    end = shift + mention.relative[1]
    start = shift + mention.start if mention.role in _LED else first
    parts = _part(words, start, first, end)
    is_here = sum(map(len, parts)) < len(words)
    if not is_here or not _is_whole(parts, shift + mention.end, grammar):
        return words
    before = parts.before
    if parts.lead and _says_what_for(parts.lead[0], grammar):
        before = [*before, *parts.lead]  # "tickets for next Friday"
    said = _say(mention.stretch, unit, grammar.language)
    if _needs_preposition(before, unit, grammar):
        data = read_language_data(grammar.language, "time")
        said = f"{data['written_behind'][unit]} {said}"
    return [*before, *_tokens_of(said, end), *parts.after]


def _needs_preposition(before: Words, unit: str, grammar: Grammar) -> bool:
    """Tell whether a day has "on" before it; a month or a year only where a German clause begins
    with it, whose subject stands behind the verb.
    """
    if unit != "day":
        return grammar.v2 and not before
    return not before or not grammar.has("prepositions", before[-1].low)


def _part(words: Words, start: int, first: int, end: int) -> _Parts:
    """Part *words* around those from *first* to *end*, to which those from *start* on lead."""
    parts = _Parts([], [], [])
    for word in words:
        if word.start < start:
            parts.before.append(word)
        elif word.start < first:
            parts.lead.append(word)
        elif word.start >= end:
            parts.after.append(word)
    return parts


def _is_whole(parts: _Parts, end: int, grammar: Grammar) -> bool:
    """Tell whether a time is the whole of what is said: neither "the end of next week" nor "today
    in a week"; its own words end at *end*.
    """
    if len(parts.lead) > 1:
        return False
    if parts.lead and not grammar.has("prepositions", parts.lead[0].low):
        return False
    leading = [*parts.before[-1:], *parts.lead]
    if any(grammar.has("of", word.low) for word in leading):
        return False
    return not parts.after or _may_follow(parts.after[0], end, grammar)


def _may_follow(word: Token, end: int, grammar: Grammar) -> bool:
    """Tell whether *word* may stand behind a day that is named whole: "morning", which is said with
    it, "at" 9, a verb, a mark.
    """
    if word.low in _OWNS:
        return False
    if word.start < end or grammar.has("clock", word.low):
        return True
    kinds = ("prepositions", "conjunctions")
    return word.text == word.low and not grammar.has_any(kinds, word.low)


def _says_what_for(word: Token, grammar: Grammar) -> bool:
    """Tell whether *word* is the "for" of "tickets for next Friday"."""
    options = read_language_data(grammar.language, "time")["options"]
    return word.low in options["target"]


def _tokens_of(said: str, at: int) -> Words:
    """Return the words of *said* as words that *at* this place of the text were left out."""
    words = tokenize(said, 0, len(said))
    return [word._replace(start=at, end=at) for word in words]


def _unit_of(stretch: Stretch) -> str:
    """Return which unit *stretch* is, for an hour its day; "" for a season or a weekend."""
    if stretch.precision in ("hour", "minute"):
        return "day"
    for unit in _UNITS:
        whole = around(stretch.start, unit)
        if (whole.start, whole.end) == (stretch.start, stretch.end):
            return unit
    return ""


def _say(stretch: Stretch, unit: str, language: str) -> str:
    """Return a day, a week, a month or a year as the program writes it: "2026-09-11"."""
    start = stretch.start
    if unit == "day":
        return f"{start:%Y-%m-%d}"
    data = read_language_data(language, "time")
    names = {number: name for name, number in reversed(data["months"].items())}
    year, week, _ = start.isocalendar()
    said: str = data["written"][unit].format(
        day=f"{start:%Y-%m-%d}",
        week=week,
        year=year if unit == "week" else start.year,
        month=names[start.month].capitalize(),
    )
    return said
