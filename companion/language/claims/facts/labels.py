"""Facts of notes without a verb: "Gate code at the allotment: 9031", "Standup now 9:45".

What stands before the colon, or before "now", names a thing, or a role of one, and what stands
behind it is its value. Only a value that is surely one counts: with a digit or a weekday, or a
name. A number of a series ("Resting pulse: 61") is a row of its table and no claim.
"""

import re
from typing import NamedTuple

from companion.language.claims.complements import is_capital
from companion.language.claims.grammar import Grammar, grammar_of
from companion.language.claims.predication import (
    FILLED,
    Fact,
    Predication,
    is_full_name,
)
from companion.language.claims.roles import (
    Role,
    measure_beside_name,
    role_of,
)
from companion.language.claims.verbs import VerbGroup
from companion.language.measurements import (
    read_measurement,
    read_value,
)
from companion.language.names.work_titles import goes_on_in_title
from companion.language.sentences import Token, Words, tokenize
from companion.language.words.roles import is_persons

# kinds of words of who speaks or is spoken of
NO_THINGS = ("second", "me", "pronouns", "subjects", "bookkeeping")
_LONGEST_LABEL = 7  # words
_LONGEST_VALUE = 7
_LONGEST_NAME = 4
# letters that a word alone has at least: "Standup", and not who speaks
_LEAST_LETTERS = 7
_COLON = ":"
# "Besprechung ab jetzt um 7:00"
_BEFORE_MARK = frozenset((",", "ab", "from"))
HOUR = re.compile(r"\d{1,2}(?:[:.]\d{2})?")
_GERMAN_DATE = re.compile(r"(?<!\d)\d{1,2}\.\d{1,2}\.(?!\d)")
_LISTED = frozenset((",", ";", "(", ")", "!", "?", '"', "and", "or", "und"))


class Label(NamedTuple):
    """What a note without a verb names, and the value that it gives it."""

    name: Words
    value: Words
    mark: str  # what stands between them: a colon, or "now"
    filled: bool = (
        False  # it says who has a role now: "New caretaker: Tim Hall"
    )
    on: str = ""  # what stands before a day: "am" of "Fasching am 24. Februar"


def language_of_label(sentence: str) -> str:
    """Return the language of a note without a little word: German by its words of time and title,
    and by a date like "3.9.", else English; "Dr." alone tells nothing beside "New".
    """
    if _GERMAN_DATE.search(sentence):
        return "de"
    german = _list_telling(sentence, "de")
    english = _list_telling(sentence, "en")
    if german <= english and german != english:
        return "en"
    return "de" if german else "en"


def _list_telling(sentence: str, language: str) -> set[str]:
    """Return the words of *sentence* that *language* has for times, titles and what is new."""
    grammar = grammar_of(language)
    kinds = ("weekdays", "titles", "hours", "from_now", "renewed")
    words = tokenize(sentence, 0, len(sentence))
    said = {word.low.rstrip(".") for word in words}
    return {one for one in said if grammar.has_any(kinds, one)}


def split_label(sentence: str, start: int, grammar: Grammar) -> Label | None:
    """Return the parts of a *sentence* that begins at *start* of its text; None: it has a verb, or
    no plain value.
    """
    if read_measurement(sentence) is not None:
        return None
    words = without_stop(tokenize(sentence, 0, len(sentence)))
    label = _split_at_mark(words, grammar)
    if label is None or _has_verb([*label.name, *label.value], grammar):
        return None
    if _is_title(sentence, label, grammar) or _is_measured(sentence, label):
        return None
    if not _names_thing(label, grammar) or not _is_value(label, grammar):
        return None
    name = shift(label.name, start)
    return label._replace(name=name, value=shift(label.value, start))


def read_label(label: Label, text: str, grammar: Grammar) -> Fact:
    """Return what *label* states."""
    thing, role = part_name(label.name, grammar)
    value = label.value
    place = label.on or find_place(value, grammar)
    if place and not label.on:
        value = value[1:]
    elif not place:
        place = _preposition(value, grammar)
    copula = "ist" if grammar.v2 else "is"
    part = (label.name[0].start, value[-1].end)
    verbs = VerbGroup(0, "", copula)
    clause = Predication(thing, verbs, [], text, grammar, part)
    if label.filled:
        return clause.fact(thing, [], "", label.value, FILLED, one=True)
    if role:
        return clause.fact(thing, role, "", label.value, "attribute", one=True)
    rule = "place" if place else "is"
    return clause.fact(thing, [], place, value, rule, one=True)


def find_place(value: Words, grammar: Grammar) -> str:
    """Return the preposition that *value* begins with before a place or an hour: "in" the
    cupboard, "at" 9:45; "" for any other.
    """
    if len(value) < 2:
        return ""
    first, second = value[:2]
    is_hour = HOUR.fullmatch(second.low) is not None
    if grammar.has("clock", first.low) and is_hour:
        return first.low
    kinds = ("within", "held")
    if grammar.has_any(kinds, first.low) and not second.low[:1].isdigit():
        return first.low
    return ""


def _is_title(sentence: str, label: Label, grammar: Grammar) -> bool:
    """Tell whether the colon stands inside a title, and not behind the role of a thing."""
    if part_name(label.name, grammar).role:
        return False
    before, _, after = sentence.partition(": ")
    return goes_on_in_title(before, after, grammar)


def _is_measured(sentence: str, label: Label) -> bool:
    """Tell whether the value is a measurement with its unit, as series have: "170 ms"."""
    value = sentence[label.value[0].start : label.value[-1].end]
    measured = read_value(value)
    return measured is not None and bool(measured.unit)


def without_stop(words: Words) -> Words:
    while words and words[-1].low == ".":
        words = words[:-1]
    return words


def shift(words: Words, by: int) -> Words:
    return [
        word._replace(start=word.start + by, end=word.end + by)
        for word in words
    ]


def _split_at_mark(words: Words, grammar: Grammar) -> Label | None:
    """Return what stands before and behind the only colon, or the only "now"."""
    marks = [
        at
        for at, word in enumerate(words)
        if word.low == _COLON or grammar.has("from_now", word.low)
    ]
    if not marks or not 0 < marks[0] < len(words) - 1:
        return None
    first, last = marks[0], marks[-1]
    # "Standup: now 9:45"
    if len(marks) > 2 or last - first != len(marks) - 1:
        return None
    name = _lasting(words[:first], grammar)
    if not name:
        return None
    value = words[last + 1 :]
    who = _find_new_holder(words[:first], name, value, grammar)
    if who:
        return Label(name, who, words[first].low, filled=True)
    return Label(name, _without_former(value, grammar), words[first].low)


def _find_new_holder(
    said: Words, name: Words, value: Words, grammar: Grammar
) -> Words:
    """Return who has a role from now on: "Tim Hall" of "New caretaker: Tim Hall, 0160 77"."""
    if not grammar.has("renewed", said[0].low) or part_name(name, grammar).role:
        return []
    if not is_persons(name[-1].low):
        return []  # "New York: Grand Hotel", "New rule: No Shoes"
    commas = [at for at, word in enumerate(value) if word.low == ","]
    who = value[: commas[0]] if commas else value
    return who if is_full_name(who, grammar) else []


def _without_former(value: Words, grammar: Grammar) -> Words:
    """Return *value* without the one that it replaces: "um 7:00" of "um 7:00 statt 7:15"."""
    for at, word in enumerate(value):
        if at and grammar.has("replaced", word.low):
            return value[:at]
    return value


def _lasting(words: Words, grammar: Grammar) -> Words:
    """Return a name without what says that it is new: "New gate code", "garage code changed,"."""
    if words[-1:] and words[-1].low in _BEFORE_MARK:
        words = words[:-1]
    changed = words[-1:] and grammar.lemma(words[-1].low) in grammar.changes
    if changed and grammar.past(words[-1]):
        words = words[:-1]
    if words and grammar.has("renewed", words[0].low):
        words = words[1:]
    return words


def _has_verb(words: Words, grammar: Grammar) -> bool:
    first, *others = words
    if grammar.auxiliary(first.low):
        return True
    lower = [word for word in others if word.text == word.low]
    # "lessons" and "code" are forms of verbs, too: only a past is surely one
    return any(
        grammar.auxiliary(word.low) or grammar.past(word) for word in lower
    )


def _is_short(words: Words, longest: int) -> bool:
    """Tell whether *words* are few, and no list."""
    return len(words) <= longest and all(
        word.low not in _LISTED for word in words
    )


def _names_thing(label: Label, grammar: Grammar) -> bool:
    """Tell whether a label names a thing, and nobody who speaks or is spoken of."""
    name = label.name
    if not _is_short(name, _LONGEST_LABEL):
        return False
    if any(grammar.has_any(NO_THINGS, word.low) for word in name):
        return False
    if name and not name[0].low[:1].isalpha():
        return False
    if len(name) > 1:
        return not _may_name_person(name, grammar)
    if label.mark != _COLON or label.filled:
        return True
    return len(name[0].text) >= _LEAST_LETTERS and _has_digit(label.value)


def _may_name_person(name: Words, grammar: Grammar) -> bool:
    """Tell whether a *name* of more words may be that of who speaks: "Anna Weber: 5 o'clock"."""
    if grammar.v2 or not all(map(is_capital, name)):
        return False
    return measure_beside_name(name, grammar) is None


def _is_value(label: Label, grammar: Grammar) -> bool:
    """Tell whether a value is one thing: with a digit or a weekday, or who or what has a role."""
    value = label.value
    if label.filled:
        return True
    if not _is_short(value, _LONGEST_VALUE):
        return False
    if label.mark != _COLON and not _opens_value(value[0], grammar):
        return False  # "the kiln now runs at 6 bar"
    if _has_digit(value):
        return True
    if any(grammar.has("weekdays", word.low) for word in value):
        return True
    if not part_name(label.name, grammar).role:
        return False  # "Sources: Smith"
    return len(value) <= _LONGEST_NAME and all(map(is_capital, value))


def _opens_value(word: Token, grammar: Grammar) -> bool:
    """Tell whether *word* begins a number, a day or a name."""
    if word.text != word.low or word.low.lstrip("$€£")[:1].isdigit():
        return True
    return grammar.has_any(("weekdays", "prepositions"), word.low)


def _has_digit(words: Words) -> bool:
    return any(char.isdigit() for word in words for char in word.low)


def part_name(name: Words, grammar: Grammar) -> Role:
    """Return the thing and its role of "gate code at the allotment"; a bare name has no role."""
    attribute = role_of(name, grammar)
    if attribute is not None:
        return attribute
    for at in range(1, len(name) - 1):
        thing = name[at + 1].low
        if grammar.has("belonging", name[at].low) and thing.isalpha():
            return Role(name[at + 1 :], name[:at])
    return measure_beside_name(name, grammar) or Role(name, [])


def _preposition(value: Words, grammar: Grammar) -> str:
    """Return what stands before an hour or a day: "at" 9:45."""
    if grammar.has("prepositions", value[0].low):
        return ""
    if HOUR.fullmatch(value[0].low) and (
        ":" in value[0].low or _ends_in_hour(value, grammar)
    ):
        return "um" if grammar.v2 else "at"
    if not grammar.v2 and grammar.has("weekdays", value[0].low):
        return "on"
    return ""


def _ends_in_hour(value: Words, grammar: Grammar) -> bool:
    return len(value) > 1 and grammar.has("hours", value[1].low)
