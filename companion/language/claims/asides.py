"""What a clause says beside itself: "Ada Falk (born in Zenda), a writer, lives", "Founded in 1911,
the press is".
"""

from typing import NamedTuple

from companion.language.claims.grammar import Grammar
from companion.language.sentences import Token


class Aside(NamedTuple):
    """Words about the subject of a clause: a relative clause, a participle with its company, or an
    apposition.
    """

    words: list[Token]
    kind: str  # "relative", "participle", "apposition"
    part: tuple[int, int]  # from mark to mark, with the times that are said in it


def without_asides(tokens: list[Token], grammar: Grammar) -> tuple[list[Token], list[Aside]]:
    """Return the clause alone, and what was set between commas or brackets after its subject, or
    before it.
    """
    tokens, found = _brackets(tokens, grammar)
    first = next((at for at, word in enumerate(tokens) if word.low == ","), None)
    if first is None:
        return tokens, found
    if _kind(tokens[:first], grammar) == "participle" and len(tokens) > first + 2:
        return tokens[first + 1 :], [
            *found,
            Aside(tokens[:first], "participle", (tokens[0].start, tokens[first].start)),
        ]
    second = next((at for at in range(first + 2, len(tokens) - 1) if tokens[at].low == ","), None)
    if second is None or not first or any(grammar.finite(tokens, at) for at in range(1, first)):
        return tokens, found
    main = [*tokens[:first], *tokens[second + 1 :]]
    kind = _kind(tokens[first + 1 : second], grammar)
    if not kind or not any(
        grammar.finite(main, at) for at in range(first, min(first + 3, len(main)))
    ):
        return tokens, found
    part = (tokens[first].end, tokens[second].start)
    return main, [*found, Aside(tokens[first + 1 : second], kind, part)]


def _brackets(tokens: list[Token], grammar: Grammar) -> tuple[list[Token], list[Aside]]:
    opened = next((at for at, word in enumerate(tokens) if at and word.low == "("), None)
    closed = next(
        (at for at, word in enumerate(tokens) if opened and at > opened and word.low == ")"), None
    )
    if opened is None or closed is None:
        return tokens, []
    inside = tokens[opened + 1 : closed]
    kind = _kind(inside, grammar)
    if inside and kind != "participle" and not any(word.low[:1].isdigit() for word in inside):
        return tokens, []  # "Mercury (planet)" is a name
    aside = (
        [Aside(inside, kind, (tokens[opened].end, tokens[closed].start))]
        if kind == "participle"
        else []
    )
    return [*tokens[:opened], *tokens[closed + 1 :]], aside


def _kind(words: list[Token], grammar: Grammar) -> str:
    if not words:
        return ""
    first = words[0].low
    if grammar.participle(first) and not first.endswith("ing"):
        return "participle" if len(words) < 2 or grammar.has("prepositions", words[1].low) else ""
    if len(words) < 2:
        return ""
    if grammar.has("relatives", first):
        return "relative" if grammar.finite(words, 1) or grammar.auxiliary(words[1].low) else ""
    return "apposition" if grammar.has("articles", first) else ""
