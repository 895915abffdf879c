"""Asides: what a clause says of its subject beside the main verb.

"Ada Falk (born in Zenda), a writer, lives …", "Founded in 1911, the press is …".
"""

from typing import Literal, NamedTuple

from companion.language.claims.complements import is_capital, is_year_of_name
from companion.language.claims.grammar import Grammar
from companion.language.sentences import Words

AsideKind = Literal["relative", "participle", "apposition"]


class Aside(NamedTuple):
    """Words about the subject of a clause."""

    words: Words
    kind: AsideKind
    # from mark to mark, with the times that are said in it
    part: tuple[int, int]


class _Cut(NamedTuple):
    """The words of a clause, and the aside that was cut out of them."""

    clause: Words
    aside: Aside | None = None


def split_asides(tokens: Words, grammar: Grammar) -> tuple[Words, list[Aside]]:
    """Return the clause alone, and its asides: between commas or brackets, or in front."""
    bracketed = _cut_brackets(tokens, grammar)
    cut = _cut_opening(bracketed.clause, grammar)
    if cut.aside is None:
        cut = _cut_insertion(bracketed.clause, grammar)
    asides = (bracketed.aside, cut.aside)
    return cut.clause, [aside for aside in asides if aside is not None]


def _cut_brackets(tokens: Words, grammar: Grammar) -> _Cut:
    """Cut the first brackets out of a clause; they are an aside if they hold a participle."""
    opened = _find(tokens, "(", 1)
    if opened is None:
        return _Cut(tokens)
    closed = _find(tokens, ")", opened + 1)
    if closed is None:
        return _Cut(tokens)
    inside = tokens[opened + 1 : closed]
    if is_year_of_name(tokens, opened):
        return _Cut(tokens)  # "Blade Runner (1982)"
    without = [*tokens[:opened], *tokens[closed + 1 :]]
    if _kind_of(inside, grammar) == "participle":
        part = (tokens[opened].end, tokens[closed].start)
        return _Cut(without, Aside(inside, "participle", part))
    has_digits = any(word.low[:1].isdigit() for word in inside)
    if inside and not has_digits:
        return _Cut(tokens)  # "Mercury (planet)" is a name
    return _Cut(without)


def _cut_opening(tokens: Words, grammar: Grammar) -> _Cut:
    """Cut off what stands before the first comma: "Founded in 1911, the press is …"."""
    comma = _find(tokens, ",", 0)
    if comma is None or len(tokens) <= comma + 2:
        return _Cut(tokens)
    opening = tokens[:comma]
    if _kind_of(opening, grammar) != "participle":
        return _Cut(tokens)
    part = (tokens[0].start, tokens[comma].start)
    return _Cut(tokens[comma + 1 :], Aside(opening, "participle", part))


def _cut_insertion(tokens: Words, grammar: Grammar) -> _Cut:
    """Cut out what stands between two commas: "Ada Falk, a writer, lives …"."""
    first = _find(tokens, ",", 0)
    if not first or _has_finite(tokens, range(1, first), grammar):
        return _Cut(tokens)
    second = _find(tokens[:-1], ",", first + 2)
    if second is None:
        return _Cut(tokens)
    inside = tokens[first + 1 : second]
    kind = _kind_of(inside, grammar)
    main = [*tokens[:first], *tokens[second + 1 :]]
    behind = range(first, min(first + 3, len(main)))
    if not _has_finite(main, behind, grammar):
        return _Cut(tokens)
    if kind is None:
        named = inside, tokens[second + 1 :]
        return _put_name_first(tokens[:first], *named, grammar) or _Cut(tokens)
    part = (tokens[first].end, tokens[second].start)
    return _Cut(main, Aside(inside, kind, part))


def _put_name_first(
    role: Words, name: Words, rest: Words, grammar: Grammar
) -> _Cut | None:
    """Return "the vet, Dr Nair, charges 40" as of Dr Nair, who is the vet, and "our landlord, Mr
    Okafor, says" without its commas; None: it is neither.
    """
    if not name or not all(map(is_capital, name)):
        return None
    if any(map(is_capital, role[1:])):
        return None
    if grammar.has("possessives", role[0].low):
        return _Cut([*role, *name, *rest])
    if len(role) < 2 or not grammar.has("articles", role[0].low):
        return None
    part = (role[0].start, role[-1].end)
    return _Cut([*name, *rest], Aside(role[1:], "apposition", part))


def _has_finite(tokens: Words, places: range, grammar: Grammar) -> bool:
    return any(grammar.finite(tokens, at) for at in places)


def _find(tokens: Words, low: str, start: int) -> int | None:
    for at in range(start, len(tokens)):
        if tokens[at].low == low:
            return at
    return None


def _kind_of(words: Words, grammar: Grammar) -> AsideKind | None:
    """Return what kind of aside *words* are, None where they are none."""
    if not words:
        return None
    first = words[0].low
    rest = words[1:]
    if grammar.participle(first) and not first.endswith("ing"):
        if rest and not grammar.has("prepositions", rest[0].low):
            return None
        return "participle"
    if not rest:
        return None
    if grammar.has("relatives", first):
        return _kind_of_relative(words, grammar)
    if grammar.has("articles", first):
        return "apposition"
    return None


def _kind_of_relative(words: Words, grammar: Grammar) -> AsideKind | None:
    if grammar.finite(words, 1) or grammar.auxiliary(words[1].low):
        return "relative"
    return None
