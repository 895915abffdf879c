"""Asides: what a clause says of its subject beside the main verb.

"Ada Falk (born in Zenda), a writer, lives …", "Founded in 1911, the press is …".
"""

from typing import Literal, NamedTuple

from companion.language.claims.grammar import Grammar
from companion.language.sentences import Token

AsideKind = Literal["relative", "participle", "apposition"]


class Aside(NamedTuple):
    """Words about the subject of a clause."""

    words: list[Token]
    kind: AsideKind
    # from mark to mark, with the times that are said in it
    part: tuple[int, int]


def split_asides(
    tokens: list[Token], grammar: Grammar
) -> tuple[list[Token], list[Aside]]:
    """Return the clause alone, and its asides: between commas or brackets, or in front."""
    tokens, asides = _split_brackets(tokens, grammar)
    commas = [at for at, word in enumerate(tokens) if word.low == ","]
    if not commas:
        return tokens, asides
    first = commas[0]
    opening = tokens[:first]
    if _kind_of(opening, grammar) == "participle" and len(tokens) > first + 2:
        part = (tokens[0].start, tokens[first].start)
        return tokens[first + 1 :], [
            *asides,
            Aside(opening, "participle", part),
        ]
    later = [at for at in commas if first + 2 <= at < len(tokens) - 1]
    if not first or not later or _has_finite(tokens, range(1, first), grammar):
        return tokens, asides
    second = later[0]
    inside = tokens[first + 1 : second]
    kind = _kind_of(inside, grammar)
    main = [*opening, *tokens[second + 1 :]]
    goes_on = _has_finite(
        main, range(first, min(first + 3, len(main))), grammar
    )
    if kind is None or not goes_on:
        return tokens, asides
    part = (tokens[first].end, tokens[second].start)
    return main, [*asides, Aside(inside, kind, part)]


def _has_finite(tokens: list[Token], places: range, grammar: Grammar) -> bool:
    return any(grammar.finite(tokens, at) for at in places)


def _split_brackets(
    tokens: list[Token], grammar: Grammar
) -> tuple[list[Token], list[Aside]]:
    """Return the clause without its first brackets, and them where they are an aside."""
    opened = _find(tokens, "(", 1)
    closed = None if opened is None else _find(tokens, ")", opened + 1)
    if opened is None or closed is None:
        return tokens, []
    inside = tokens[opened + 1 : closed]
    without = [*tokens[:opened], *tokens[closed + 1 :]]
    if _kind_of(inside, grammar) == "participle":
        part = (tokens[opened].end, tokens[closed].start)
        return without, [Aside(inside, "participle", part)]
    has_digits = any(word.low[:1].isdigit() for word in inside)
    if inside and not has_digits:
        return tokens, []  # "Mercury (planet)" is a name
    return without, []


def _find(tokens: list[Token], low: str, start: int) -> int | None:
    for at in range(start, len(tokens)):
        if tokens[at].low == low:
            return at
    return None


def _kind_of(words: list[Token], grammar: Grammar) -> AsideKind | None:
    """Return what kind of aside *words* are, None where they are none."""
    if not words:
        return None
    first = words[0].low
    second = words[1].low if len(words) > 1 else None
    if grammar.participle(first) and not first.endswith("ing"):
        alone = second is None or grammar.has("prepositions", second)
        return "participle" if alone else None
    if second is None:
        return None
    if grammar.has("relatives", first):
        has_verb = grammar.finite(words, 1) or grammar.auxiliary(second)
        return "relative" if has_verb else None
    return "apposition" if grammar.has("articles", first) else None
