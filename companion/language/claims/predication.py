"""Facts that clauses state, and clauses taken apart into subject, verbs and complements."""

from collections.abc import Sequence
from typing import NamedTuple

from companion.language.claims.complements import (
    Complement,
    is_capital,
    strip_value,
    unquoted,
)
from companion.language.claims.grammar import Grammar
from companion.language.claims.verbs import VerbGroup
from companion.language.sentences import Token, Words, joined

# the rule for who holds a role, or when a thing is: one value at a time
_CONTRACTED = {"'m": "am", "'re": "are", "'s": "is", "'ve": "have"}
FILLED = "filled"
# the rule for the amount to which something was raised or lowered
LEVELLED = "levelled"
INSTALLED = "installed"  # the rule for who got a role


class Fact(NamedTuple):
    """One thing that a clause says of another, before times and moods."""

    subject: str
    predicate: str
    object: str
    # the predicate reduced to what it is about, before synonyms: "found by", "live in", "capital"
    matter: str
    functional: bool
    rule: str
    verbs: VerbGroup
    part: tuple[int, int]  # the stretch of text whose times are this fact's


class Predication(NamedTuple):
    """One verb group of a clause, with its subject and what follows it."""

    subject: Words
    verbs: VerbGroup
    complements: list[Complement]
    text: str
    grammar: Grammar
    part: tuple[int, int]

    def fact(
        self,
        thing: Words,
        role: Sequence[Token],
        preposition: str,
        words: Words,
        rule: str,
        *,
        one: bool = False,
    ) -> Fact:
        """Return the fact that *role* (with the verbs) of *thing* is *words*.

        *one*: it has one value at a time.
        """
        verbs = self.verbs
        if self._denies(words):
            verbs = verbs._replace(negated=not verbs.negated)
            words = words[1:]
        kind, words = _split_class(words, self.grammar)
        predicate = [word.text for word in role]
        matter = [word.low for word in role]
        if rule == "place":
            predicate.insert(0, verbs.word)
            matter.insert(0, "be")
        if verbs.lemma:
            predicate += [verbs.ability, verbs.word]
        predicate += [preposition, kind]
        matter += [verbs.lemma, preposition, kind]
        value = joined(strip_value(words, self.grammar), self.text)
        return Fact(
            subject=joined(unquoted(thing), self.text),
            predicate=_phrase(predicate) or _written_out(verbs.word) or "is",
            object=_without_stop(value),
            matter=_phrase(matter) or "is",
            functional=one or bool(kind) or self._has_agent(preposition),
            rule=rule,
            verbs=verbs,
            part=self.part,
        )

    def _denies(self, words: Words) -> bool:
        """Tell whether *words* deny a thing: "eats no meat", "isst kein Fleisch"."""
        return len(words) > 1 and self.grammar.has("negations", words[0].low)

    def _has_agent(self, preposition: str) -> bool:
        """Tell whether *preposition* says by whom it is done: "led by"."""
        return self.verbs.passive and self.grammar.has("agents", preposition)

    def with_denial(self) -> "Predication":
        """Return the same clause denied, or stated where it was denied."""
        denied = not self.verbs.negated
        return self._replace(verbs=self.verbs._replace(negated=denied))

    def with_copula(self, word: str = "is") -> "Predication":
        """Return the same clause as if it were said with the copula *word*."""
        return self._replace(
            verbs=self.verbs._replace(lemma="", word=word, passive=False)
        )


def _written_out(word: str) -> str:
    """Return a contraction as a word of its own: "'m" is "am"."""
    return _CONTRACTED.get(word, word)


def _phrase(parts: list[str]) -> str:
    return " ".join(filter(None, parts))


def starts_with_digit(words: Sequence[Token]) -> bool:
    """Tell whether the first word begins with a digit: "500 requests"."""
    return words[0].low[:1].isdigit()


def is_pronoun(words: Words, grammar: Grammar) -> bool:
    """Tell whether *words* are a pronoun alone."""
    kinds = ("me", "us", "pronouns", "subjects")
    return len(words) == 1 and grammar.has_any(kinds, words[0].low)


def is_full_name(words: Words, grammar: Grammar) -> bool:
    """Tell whether *words* are a name of several words: "Ines Prado", "Frau Weber"."""
    if len(words) < 2 or not all(map(is_capital, words)):
        return False
    titled = grammar.has("titles", words[0].low.rstrip("."))
    return titled or not grammar.has("articles", words[0].low)


def _split_class(words: Words, grammar: Grammar) -> tuple[str, Words]:
    """Take "the city of" off "the city of Porto": the kind of thing belongs to the predicate."""
    rest = words
    definite = True
    if words and grammar.has("articles", words[0].low):
        rest = words[1:]
        definite = grammar.has("definite", words[0].low)
    if len(rest) < 2 or not grammar.has("classes", rest[0].low):
        return "", words
    if not grammar.v2 and is_capital(rest[0]):
        return "", words  # "City of God" is a title
    kind = rest[0].low
    if definite and len(rest) > 2 and grammar.has("of", rest[1].low):
        return kind, rest[2:]
    if grammar.v2 and is_capital(rest[1]):
        return kind, rest[1:]  # "der Stadt Hamburg"
    return "", words


def _without_stop(name: str) -> str:
    """Return *name* without the full stop of its sentence.

    "Rudolf V." at the end of a sentence is Rudolf V; "Washington, D.C." keeps its dots, and an
    address ("me@example.org.") loses the last one.
    """
    bare = name.removesuffix(".")
    last_part = bare.rpartition(" ")[2].rpartition(".")
    if last_part[1] and len(last_part[2]) == 1:
        return name
    return bare


def with_one_time(fact: Fact) -> Fact:
    """Return a *fact* whose value is a time: it has one at a time, unless it is past."""
    if fact.verbs.past:
        return fact
    return fact._replace(functional=True)


def has_object(fact: Fact, grammar: Grammar) -> bool:
    """Tell whether an object is whole, which "the deadline to" without its day is not."""
    last = fact.object.lower().rpartition(" ")[2]
    return not grammar.has("prepositions", last)
