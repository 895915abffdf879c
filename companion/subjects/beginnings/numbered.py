"""Find the things of a kind that a number tells apart: "Volk 3", "Room 12"."""

import re
from collections.abc import Iterator

from companion.language.names.name_forms import name_forms
from companion.language.sentences import Token, Words
from companion.subjects.beginnings.thing_words import ThingWords, may_be_thing

# a number that names: a year has more digits
_NUMBER = re.compile(r"[1-9]\d{0,2}")
# behind an amount, an hour or a date: "80 kg", "3,5", "12:30", "5 %", "3. Mai"
_AMOUNT = re.compile(r"[.,:/%°€$£-]\S| ?[%°€$£]|\.(?= \w)")


def find_numbered(
    tokens: Words, text: str, words: ThingWords
) -> Iterator[Words]:
    """Yield the words of each thing in a sentence that has a number as a part of its name."""
    for at in range(1, len(tokens)):
        thing, number = tokens[at - 1], tokens[at]
        is_number = _NUMBER.fullmatch(number.text) is not None
        if not is_number or text[thing.end : number.start] != " ":
            continue
        if not _is_amount(tokens, at, text, words) and _may_be(thing, words):
            yield tokens[at - 1 : at + 1]


def _may_be(thing: Token, words: ThingWords) -> bool:
    has_capital = thing.text[:1].isupper()
    is_form = has_capital or not _may_be_german(words)
    return is_form and may_be_thing(thing, words)


def _may_be_german(words: ThingWords) -> bool:
    # without determiners the language is not known
    return words.nouns_have_capitals or not words.determiners


def _is_amount(tokens: Words, at: int, text: str, words: ThingWords) -> bool:
    """Tell whether the number at *at* is an amount, an hour or a date."""
    number = tokens[at]
    if _AMOUNT.match(text, number.end):
        return True
    following = tokens[at + 1 : at + 2]
    return bool(following) and _is_counted(number, following[0], text, words)


def _is_counted(
    number: Token, following: Token, text: str, words: ThingWords
) -> bool:
    """Tell whether what follows a number is how many there are of it: "Anna 3 Eier", "May 3 pm"."""
    if text[number.end : following.start] != " ":
        return (
            not following.text[:1].isspace() and following.text not in ",;!?)"
        )
    low = following.low
    if low in words.units or not words.times.isdisjoint(name_forms(low)):
        return True
    return _may_be_german(words) and following.text[:1].isupper()
