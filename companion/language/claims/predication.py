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
from companion.language.sentences import Token, joined

# the rule for who holds a role, or when a thing is: one value at a time
FILLED = "filled"
# the rule for the amount to which something was raised or lowered
LEVELLED = "levelled"
INSTALLED = "installed"  # the rule for who got a role


class Fact(NamedTuple):
    """What one clause says of one thing, before times and moods."""

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

    subject: list[Token]
    verbs: VerbGroup
    complements: list[Complement]
    text: str
    grammar: Grammar
    part: tuple[int, int]

    def fact(
        self,
        thing: list[Token],
        role: Sequence[Token],
        preposition: str,
        words: list[Token],
        rule: str,
        *,
        one: bool = False,
    ) -> Fact:
        """Return the fact that *role* (with the verbs) of *thing* is *words*.

        *one*: it has one value at a time.
        """
        kind, words = _split_class(words, self.grammar)
        verb = self.verbs.word if self.verbs.lemma else ""
        predicate = [*(word.text for word in role), verb, preposition, kind]
        matter = [
            *(word.low for word in role),
            self.verbs.lemma,
            preposition,
            kind,
        ]
        if rule == "place":
            predicate.insert(0, self.verbs.word)
            matter.insert(0, "be")
        by_agent = self.verbs.passive and self.grammar.has(
            "agents", preposition
        )
        return Fact(
            subject=joined(unquoted(thing), self.text),
            predicate=" ".join(filter(None, predicate))
            or self.verbs.word
            or "is",
            object=_without_stop(
                joined(strip_value(words, self.grammar), self.text)
            ),
            matter=" ".join(filter(None, matter)) or "is",
            functional=one or bool(kind) or by_agent,
            rule=rule,
            verbs=self.verbs,
            part=self.part,
        )

    def with_copula(self, word: str = "is") -> "Predication":
        """Return the same clause as if it were said with the copula *word*."""
        return self._replace(
            verbs=self.verbs._replace(lemma="", word=word, passive=False)
        )


def starts_with_digit(words: Sequence[Token]) -> bool:
    """Tell whether the first word begins with a digit: "500 requests"."""
    return words[0].low[:1].isdigit()


def is_pronoun(words: list[Token], grammar: Grammar) -> bool:
    """Tell whether *words* are a pronoun alone."""
    kinds = ("me", "us", "pronouns", "subjects")
    return len(words) == 1 and grammar.has_any(kinds, words[0].low)


def is_full_name(words: list[Token], grammar: Grammar) -> bool:
    """Tell whether *words* are a name of several words: "Ines Prado", "Frau Weber"."""
    if len(words) < 2 or not all(map(is_capital, words)):
        return False
    titled = grammar.has("titles", words[0].low.rstrip("."))
    return titled or not grammar.has("articles", words[0].low)


def _split_class(
    words: list[Token], grammar: Grammar
) -> tuple[str, list[Token]]:
    """Take "the city of" off "the city of Porto": the kind of thing belongs to the predicate."""
    at = 1 if words and grammar.has("articles", words[0].low) else 0
    if at >= len(words) - 1 or not grammar.has("classes", words[at].low):
        return "", words
    definite = at == 0 or grammar.has("definite", words[0].low)
    if (
        definite
        and len(words) > at + 2
        and grammar.has("of", words[at + 1].low)
    ):
        return words[at].low, words[at + 2 :]
    if grammar.v2 and is_capital(words[at + 1]):
        return words[at].low, words[at + 1 :]  # "der Stadt Hamburg"
    return "", words


def _without_stop(name: str) -> str:
    """Return *name* without the full stop of its sentence.

    "Rudolf V." at the end of a sentence is Rudolf V; "Washington, D.C." keeps its dots.
    """
    if not name.endswith("."):
        return name
    last_word = name[:-1].rpartition(" ")[2]
    return name if "." in last_word else name[:-1]
