"""Measures of a thing: "is 62 metres deep", "has a depth of 62 metres" both tell its depth."""

from collections.abc import Iterator
from typing import NamedTuple

from companion.language.claims.complements import strip_value
from companion.language.claims.grammar import Grammar
from companion.language.claims.predication import Fact, Predication
from companion.language.claims.roles import Role, role_of
from companion.language.sentences import Token, Words

_LONGEST_AMOUNT = 3  # words: "62", "62 metres", "1 point 5"
# behind the noun of a measure
_MEASURED = ("of", "von")


class _Measure(NamedTuple):
    """What of a thing is measured, and how much it is."""

    quality: Token
    amount: Words


def measure_facts(
    clause: Predication, attribute: Role | None = None
) -> list[Fact]:
    """Return what "62 metres deep" measures; nothing where the value is something else.

    *attribute* is the thing and its role where the subject is one: "our tower".
    """
    if clause.complements[0].preposition:
        return []
    words = clause.complements[0].words
    measures = [
        _read_measure(part, clause.grammar)
        for part in _split_at_and(words, clause.grammar)
    ]
    found: list[Fact] = []
    for measure in measures:
        if measure is None:
            return []  # all of the value is measures, or it is none
        found.append(_fact(clause, measure, attribute))
    return found


def having_facts(clause: Predication) -> Iterator[Fact]:
    """Yield the measure of "has a depth of 62 metres", in place of what it has."""
    grammar = clause.grammar
    if not clause.complements or not grammar.has("having", clause.verbs.lemma):
        return
    quality, amount = _read_having(clause)
    if quality is None or not _is_amount(amount, grammar):
        return
    measure = _Measure(quality, amount)
    yield _fact(clause, measure, role_of(clause.subject, grammar))


def _read_having(clause: Predication) -> tuple[Token | None, Words]:
    """Return the noun and what stands behind its "of": ("depth", "62 metres")."""
    first, *others = clause.complements
    words = strip_value(first.words, clause.grammar)
    if first.preposition or not words:
        return None, []
    noun, *rest = words
    if not clause.grammar.has("measured", noun.low):
        return None, []
    if rest and rest[0].low in _MEASURED:
        return noun, rest[1:]
    if not rest and others and others[0].preposition in _MEASURED:
        return noun, others[0].words
    return None, []


def _read_measure(words: Words, grammar: Grammar) -> _Measure | None:
    """Return the measure that *words* are: "62 metres deep"."""
    words = strip_value(words, grammar)
    if len(words) < 2:
        return None
    *amount, adjective = words
    noun = grammar.other_word("qualities", adjective.low)
    if not noun or not _is_amount(amount, grammar):
        return None
    quality = adjective._replace(text=noun, low=noun.lower())
    return _Measure(quality, amount)


def _split_at_and(words: Words, grammar: Grammar) -> Iterator[Words]:
    """Yield the parts of "30 metres high and 12 metres wide"."""
    part: Words = []
    for word in words:
        if grammar.has("conjunctions", word.low):
            yield part
            part = []
        else:
            part.append(word)
    yield part


def _is_amount(words: Words, grammar: Grammar) -> bool:
    if not words or len(words) > _LONGEST_AMOUNT:
        return False
    first = words[0].low.lstrip("$€£~≈")
    return first[:1].isdigit() or grammar.has("numerals", first)


def _fact(
    clause: Predication, measure: _Measure, attribute: Role | None
) -> Fact:
    thing, role = attribute or Role(clause.subject, [])
    plain = clause.with_copula()
    verbs = plain.verbs._replace(past=clause.verbs.past)
    return plain._replace(verbs=verbs).fact(
        thing,
        [*role, measure.quality],
        "",
        measure.amount,
        "attribute",
        one=True,
    )
