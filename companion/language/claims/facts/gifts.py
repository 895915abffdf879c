"""Whom one gives what: "I owe Jürgen 50 euros", "habe Anna den Schlüssel gegeben"."""

from typing import NamedTuple

from companion.language.claims.complements import Complement, is_capital
from companion.language.claims.grammar import Grammar
from companion.language.claims.predication import Predication
from companion.language.sentences import Token, Words

_LONGEST_RECEIVER = 3  # words: "my old neighbour"


class Gift(NamedTuple):
    """To whom, and what."""

    to: Words
    words: Words


def split_gift(clause: Predication, complement: Complement) -> Gift | None:
    """Return whom and what a *complement* of a verb of giving names; None: it names one thing."""
    grammar = clause.grammar
    if complement.preposition or clause.verbs.passive:
        return None
    if not grammar.has("giving", clause.verbs.lemma):
        return None
    words = complement.words
    for at in range(1, len(words)):
        if _opens_thing(words[at], grammar):
            gift = Gift(words[:at], words[at:])
            return gift if _names_receiver(gift.to, grammar) else None
    return None


def names_known_receiver(gift: Gift, grammar: Grammar) -> bool:
    """Tell whether a reader knows to whom it goes: not in "gave him the key"."""
    first, *rest = gift.to
    is_speaker = grammar.has_any(("me", "us"), first.low)
    return bool(rest) or is_speaker or not _is_pronoun(first, grammar)


def _opens_thing(word: Token, grammar: Grammar) -> bool:
    """Tell whether a noun phrase begins with *word*: an article, a number."""
    if word.low.lstrip("$€£")[:1].isdigit():
        return True
    kinds = ("determiners", "numerals")
    return grammar.has_any(kinds, word.low) and not grammar.has(
        "datives", word.low
    )


def _names_receiver(words: Words, grammar: Grammar) -> bool:
    first, *rest = words
    if len(words) > _LONGEST_RECEIVER:
        return False
    if any(grammar.has("little", word.low) for word in rest):
        return False  # "my mom one of those desks"
    if all(map(is_capital, words)):
        return not grammar.has("determiners", first.low)
    if not rest:
        return _is_pronoun(first, grammar)
    if grammar.v2:
        return grammar.has("datives", first.low)
    if grammar.has("possessives", first.low):
        return True
    return grammar.has("definite", first.low)


def _is_pronoun(word: Token, grammar: Grammar) -> bool:
    return grammar.has_any(("me", "us", "pronouns", "second"), word.low)
