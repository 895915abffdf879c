"""Notes without a verb or a colon that name a thing, and when or where it is: "Standup at 9.15",
"Rehearsal Wednesdays at 8, Studio Nord", "Merch box now in the cupboard".

The thing must be surely one. "Anna at 9.15" may be a visit, "Meet at 9.15" is a command.
"""

import re
from collections.abc import Sequence

from companion.language.claims.complements import is_capital
from companion.language.claims.facts.labels import (
    HOUR,
    NO_THINGS,
    Label,
    find_place,
    shift,
    split_label,
    without_stop,
)
from companion.language.claims.grammar import Grammar
from companion.language.detect import read_language_data
from companion.language.sentences import Token, Words, tokenize
from companion.language.times.mentions import Mention
from companion.language.times.told_days import leave_out_day, write_value

_LONGEST_NAME = 4  # words
_LONGEST_PLACE = 5
# letters that a word alone has at least: "Standup", and not "Anna"
_LEAST_LETTERS = 7
# before a day
_ON_DAY = frozenset(("on", "due", "am"))
_DAY_OF_MONTH = re.compile(r"\d{1,2}\.\d{1,2}(?:\.\d{2,4})?")
_MINUTES = frozenset(".:")
_COMMA = ","


def split_note(sentence: str, start: int, grammar: Grammar) -> Label | None:
    """Return the parts of a *sentence* without a verb that begins at *start* of its text; None: it
    has a verb, or says nothing for sure.
    """
    label = split_label(sentence, start, grammar)
    if label is not None:
        return label
    words = without_stop(tokenize(sentence, 0, len(sentence)))
    found = (
        _split_at_day(words, grammar)
        or _split_at_time(words, grammar)
        or _split_at_place(words, grammar)
    )
    if found is None or not _names_thing(found.name, grammar):
        return None
    return found._replace(
        name=shift(found.name, start), value=shift(found.value, start)
    )


def date_label(
    label: Label, mentions: Sequence[Mention], start: int, grammar: Grammar
) -> tuple[Label, list[Mention]]:
    """Return a *label* that begins at *start* with the days that its value means, and without
    those in its name, which date it: "Zahnarzt morgen um 9".
    """
    value = write_value(label.value, mentions, start, grammar)
    name = label.name
    dating: list[Mention] = []
    for mention in mentions:
        rest = leave_out_day(name, mention, start)
        if rest and len(rest) < len(name):
            name = rest
            dating.append(mention)
    return label._replace(name=name, value=value), dating


def _split_at_time(words: Words, grammar: Grammar) -> Label | None:
    """Return a thing, and the hour or the days of the week behind it."""
    for at in range(1, len(words)):
        value = _up_to_comma(words[at:])
        if _is_weekly(value, grammar) or _is_hour(value, grammar):
            return Label(words[:at], value, "")
    return None


def _split_at_day(words: Words, grammar: Grammar) -> Label | None:
    """Return a thing, and its day: "Sommerfest am 2. November um 18 Uhr", "Health inspection on
    October 12".
    """
    for at in range(1, len(words) - 1):
        if words[at].low not in _ON_DAY:
            continue
        value = _up_to_comma(words[at + 1 :])
        name = words[:at]
        if _is_day(value, grammar) and not _may_be_person(name, grammar):
            return Label(name, value, "", on=words[at].low)
    return None


def _is_day(value: Words, grammar: Grammar) -> bool:
    """Tell whether *value* is a day of a month, with or without its hour, and no more."""
    if not value or not all(_is_of_time(word, grammar) for word in value):
        return False
    if _DAY_OF_MONTH.fullmatch(value[0].low):
        return True
    numbered = [word for word in value[:2] if word.low[:1].isdigit()]
    named = [word for word in value[:2] if _is_month(word, grammar)]
    return bool(numbered) and bool(named)


def _is_of_time(word: Token, grammar: Grammar) -> bool:
    """Tell whether a day or an hour is told with *word*."""
    if word.low[:1].isdigit() or _is_month(word, grammar):
        return True
    return grammar.has_any(("clock", "hours"), word.low)


def _is_month(word: Token, grammar: Grammar) -> bool:
    return word.low in read_language_data(grammar.language, "time")["months"]


def _may_be_person(name: Words, grammar: Grammar) -> bool:
    """Tell whether a *name* may be of somebody, or tell of what somebody did: "Frau Weber", "Met
    Anna".
    """
    if len(name) > 1 and all(map(is_capital, name)):
        return True
    return not grammar.v2 and grammar.lemma(name[0].low) is not None


def _split_at_place(words: Words, grammar: Grammar) -> Label | None:
    """Return a thing, and where it is "now" or "still"."""
    for at in range(1, len(words) - 2):
        end = at
        while end < len(words) and grammar.has("lasting", words[end].low):
            end += 1
        value = _up_to_comma(words[end:])
        if end > at and len(value) <= _LONGEST_PLACE:
            return _at_place(words[:at], value, grammar)
    return None


def _at_place(name: Words, value: Words, grammar: Grammar) -> Label | None:
    if not find_place(value, grammar):
        return None
    last = value[-1]
    if any(grammar.has("little", word.low) for word in (last, *value[2:])):
        return None
    if grammar.v2 and not is_capital(last):
        return None
    return Label(name, value, "")


def _up_to_comma(words: Words) -> Words:
    for at, word in enumerate(words):
        if word.low == _COMMA:
            return words[:at]
    return words


def _is_weekly(value: Words, grammar: Grammar) -> bool:
    """Tell whether *value* is a day of every week, with or without its hour."""
    if not value:
        return False
    day, *rest = value
    if not day.low.endswith("s") or not grammar.has("weekdays", day.low):
        return False
    return not rest or _is_hour(rest, grammar, is_behind_day=True)


def _is_hour(
    value: Words, grammar: Grammar, *, is_behind_day: bool = False
) -> bool:
    """Tell whether *value* is an hour and no more: "at 9.15", "um 7", "at 8" behind its day."""
    if len(value) < 2 or not grammar.has("clock", value[0].low):
        return False
    hour, *rest = value[1:]
    if not HOUR.fullmatch(hour.low):
        return False
    if rest:
        return len(rest) == 1 and grammar.has("hours", rest[0].low)
    is_exact = not _MINUTES.isdisjoint(hour.low)
    return is_exact or grammar.v2 or is_behind_day


def _names_thing(name: Words, grammar: Grammar) -> bool:
    """Tell whether *name* surely names a thing, and nobody, and nothing that is done."""
    if not name or len(name) > _LONGEST_NAME:
        return False
    if any(_is_no_part(word, grammar) for word in name):
        return False
    if _opens_no_name(name[0].low, grammar):
        return False
    if len(name) > 1:
        # "Anna Weber Thursdays"
        return grammar.v2 or not all(map(is_capital, name))
    word = name[0]
    return word.text == word.low or len(word.text) >= _LEAST_LETTERS


def _opens_no_name(low: str, grammar: Grammar) -> bool:
    """Tell whether no name begins with the word *low*: "at", "maybe", "Meet" of "Meet at 9.15"."""
    if grammar.has_any(("prepositions", "adverbs", "breaks"), low):
        return True
    return not grammar.v2 and grammar.lemma(low) == low


def _is_no_part(word: Token, grammar: Grammar) -> bool:
    """Tell whether *word* is no part of a name: a mark, a verb in a form of its own, "and"."""
    low = word.low
    if not low.isalpha() and "-" not in low:
        return True
    if grammar.auxiliary(low) or grammar.has_any(NO_THINGS, low):
        return True
    if grammar.has_any(("conjunctions", "negations", "indefinite"), low):
        return True
    return word.text == low and grammar.lemma(low) not in (None, low)
