"""Find the things of a kind that a number tells apart: "Volk 3", "Room 12".

"Bought 3 eggs" counts, and "Paid Tom 50" pays.
"""

import re
from collections.abc import Iterator

from companion.language.claims.grammar import grammar_of
from companion.language.names.name_forms import name_forms
from companion.language.sentences import Token, Words
from companion.language.word_kinds import read_word_kinds
from companion.language.words import roles
from companion.subjects.beginnings.thing_words import ThingWords, may_be_thing

# a number that names: a year has more digits
_NUMBER = re.compile(r"0{0,2}[1-9]\d{0,2}")
# languages whose verbs are known
_VERBS = ("en", "de")
# before what is paid for
_PAID_FOR = ("for", "für", "pour", "para", "per", "voor")
# behind an amount, an hour or a date: "80 kg", "3,5", "12:30", "5 %", "3. Mai"
_AMOUNT = re.compile(r"[.,:/%°€$£-]\S| ?[%°€$£]|\.(?= \w)")


def find_numbered(
    tokens: Words, text: str, words: ThingWords
) -> Iterator[tuple[Words, bool]]:
    """Yield the words of each thing in a sentence that has a number as a part of its name, and
    whether the number surely names: "Volk 03" is "Volk 3".
    """
    for at in range(1, len(tokens)):
        thing, number = tokens[at - 1], tokens[at]
        if not _is_numbered(thing, number, text):
            continue
        if _is_amount(tokens, at, text, words) or not _may_be(thing, words):
            continue
        plain = number.text.lstrip("0")
        named = [thing, number._replace(text=plain, low=plain)]
        is_led = at > 1 and _is_led_to(tokens[at - 2].low, words)
        if is_led or _may_begin(tokens, at, words):
            yield named, is_led or (at == 1 and not _is_price(tokens, at))


def _is_numbered(thing: Token, number: Token, text: str) -> bool:
    """Tell whether a *number* stands one space behind a *thing*."""
    is_number = _NUMBER.fullmatch(number.text) is not None
    return is_number and text[thing.end : number.start] == " "


def _is_price(tokens: Words, at: int) -> bool:
    """Tell whether the number at *at* may be what was paid: "Tom 50 for petrol"."""
    return any(token.low in _PAID_FOR for token in tokens[at + 1 : at + 2])


def _is_led_to(before: str, words: ThingWords) -> bool:
    """Tell whether the word *before* leads to a thing or a place, and not to whom something is
    given: "in room 12", and neither "paid Tom 50" nor "from Tom 50".
    """
    if before in read_word_kinds(roles.DATA)["sending"]:
        return False
    return before in words.determiners or before in words.prepositions


def _is_verb(low: str) -> bool:
    return any(grammar_of(one).lemma(low) is not None for one in _VERBS)


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


def _may_begin(tokens: Words, at: int, words: ThingWords) -> bool:
    """Tell whether what stands before the number at *at*, and nothing leads to, does not count what
    follows, nor does something: "Bought 3 eggs".
    """
    following = tokens[at + 1 : at + 2]
    if following and _may_be_plural(following[0].low, words):
        return False
    return at > 1 or not _is_verb(tokens[0].low)


def _may_be_plural(low: str, words: ThingWords) -> bool:
    """Tell whether an English word may be what is counted: "3 eggs"."""
    if words.nouns_have_capitals or low in words.function:
        return False
    return low.endswith("s") and not low.endswith("ss") and not _is_verb(low)
