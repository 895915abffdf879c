"""Tell what a note names first, and is about: "Volleyball fällt aus", "Driving lesson cancelled".

An English note may begin with a verb as well, so what follows must show that it does not: a verb.
A German one may begin with an adverb or an adjective; a long word that has no ending of theirs is a
noun.
"""

from functools import lru_cache
from typing import Literal, NamedTuple

from companion.language.sentences import Token, Words
from companion.language.word_kinds import read_word_kinds
from companion.language.words import roles
from companion.subjects.beginnings.thing_words import (
    SURE,
    ThingWords,
    may_be_thing,
)
from companion.subjects.mentions.longer_names import is_past_form

# words of an English topic
_LONGEST = 2
# letters of a German word that is a noun, or nearly always: others are short
_LONG = 9
# the ends of what somebody does: "sails", "kocht"
_VERB = ("s", "t", "te")


class Topic(NamedTuple):
    """What a note names first."""

    length: int  # words
    is_sure: bool  # it is a noun; else it may be one

    @property
    def use(self) -> Literal["topic", "bare"]:
        return "topic" if self.is_sure else "bare"

    @property
    def weight(self) -> int:
        return SURE if self.is_sure else 1


def find_topic(tokens: Words, text: str, words: ThingWords) -> Topic | None:
    """Return the topic that a note's first sentence begins with, None where it begins with none.

    What somebody is met for, or told about, is no topic: "Lunch with Anna", "Termin wegen Auto".
    """
    if words.nouns_have_capitals:
        return _find_german(tokens, text, words)
    if not words.determiners:
        # the language is not known: a German noun can be told by its form alone
        found = _find_german(tokens, text, words)
        is_noun = found is not None and found.is_sure
        return Topic(1, is_sure=False) if is_noun else None
    for length in range(_LONGEST, 0, -1):
        if _is_english(tokens, length, text, words):
            return Topic(length, is_sure=True)
    return None


def is_name_by_place(tokens: Words, at: int, words: ThingWords) -> bool:
    """Tell whether a preposition at *at* is a name: it has a capital within a sentence, or seems to
    do something where it begins one ("Saw Per at the pier", "Per called").
    """
    token = tokens[at]
    if token.low not in words.prepositions or not token.text.istitle():
        return False
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    if following is None or following.text[:1].isupper():
        return False  # "Notes On Bees"
    does = following.low.endswith(_VERB) or is_past_form(following.low)
    return at > 0 or does


def _find_german(tokens: Words, text: str, words: ThingWords) -> Topic | None:
    if len(tokens) < 2 or not _joins(tokens, 1, text):
        return None
    first, following = tokens[0], tokens[1]
    is_one = first.text.istitle() and may_be_thing(first, words)
    if not is_one or first.low in words.titles:
        return None
    if following.text[:1].isupper() or following.low in _leading_on():
        return None
    return Topic(1, _is_noun(first))


def _is_noun(token: Token) -> bool:
    """Tell whether a German word with a capital is a noun by its form."""
    kinds = read_word_kinds(roles.DATA)
    if token.low.endswith(tuple(kinds["noun-endings"])):
        return True
    describing = tuple(kinds["describing-endings"])
    return len(token.low) >= _LONG and not token.low.endswith(describing)


def _is_english(
    tokens: Words, length: int, text: str, words: ThingWords
) -> bool:
    """Tell whether a verb follows the first *length* words of an English note."""
    if len(tokens) <= length:
        return False
    topic, verb = tokens[:length], tokens[length]
    if not all(_joins(tokens, at, text) for at in range(1, length + 1)):
        return False
    if not all(token.text.islower() for token in topic[1:]):
        return False
    if not all(_may_be_topic(tokens, at, words) for at in range(length)):
        return False
    return verb.low in words.finite or is_past_form(verb.low)


def _may_be_topic(tokens: Words, at: int, words: ThingWords) -> bool:
    may_be = may_be_thing(tokens[at], words)
    may_be = may_be or is_name_by_place(tokens, at, words)
    return may_be and not is_past_form(tokens[at].low)


def _joins(tokens: Words, at: int, text: str) -> bool:
    return text[tokens[at - 1].end : tokens[at].start] == " "


@lru_cache(maxsize=1)
def _leading_on() -> frozenset[str]:
    """Return the words that lead from what a note begins with to whom or what it is about."""
    kinds = read_word_kinds(roles.DATA)
    leading = kinds["company"] | kinds["visiting"] | kinds["topical"]
    return leading | kinds["sending"]
