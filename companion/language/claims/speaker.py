"""The speaker that a diary leaves out: "Moved to Leeds in May", "Bin nach Kiel gezogen"."""

from companion.language.claims.complements import is_capital
from companion.language.claims.grammar import Grammar
from companion.language.sentences import Token, Words

# kinds of words behind it: "Moved to Leeds", "Moved the piano to the hall"
_BEHIND_MOVING = ("prepositions", "particles", "determiners")


def drops_speaker(words: Words, grammar: Grammar) -> bool:
    """Tell whether *words* tell without "I" what was done: a past verb with its object opens them.

    A participle that may be a passive ("Founded in 1911") is none of these.
    """
    if len(words) < 3:
        return False
    first, second = words[:2]
    if grammar.v2:
        return _is_first_person(first, words, grammar)
    if not grammar.past(first) or not first.text[:1].isupper():
        return False
    if any(grammar.has("agents", word.low) for word in words):
        return False
    if grammar.has("moving", grammar.lemma(first.low) or ""):
        return grammar.has_any(_BEHIND_MOVING, second.low)
    gives = grammar.has("giving", grammar.lemma(first.low) or "")
    return _opens_thing(second, grammar) or (gives and is_capital(second))


def _opens_thing(word: Token, grammar: Grammar) -> bool:
    """Tell whether an object begins with *word*, as in "Lent the drill to Tom"; "Painted walls"
    may be a thing itself.
    """
    kinds = ("definite", "possessives")
    return grammar.has_any(kinds, word.low) or word.low in ("a", "an")


def _is_first_person(first: Token, words: Words, grammar: Grammar) -> bool:
    """Tell whether a clause opens with "bin", "habe", and names no subject."""
    if not grammar.has("first_person", first.low):
        return False
    return not any(grammar.has("nominatives", word.low) for word in words)


def with_speaker(words: Words) -> Words:
    """Return *words* with the speaker in front, who has no place in the text."""
    first, *rest = words
    speaker = Token("I", "i", first.start, first.start)
    return [speaker, first._replace(text=first.low), *rest]


def put_speaker_first(
    tokens: Words, at: int | None, grammar: Grammar
) -> tuple[Words, int | None]:
    """Return an English clause with the "I" that it leaves out, and where its verb then stands;
    without a change where it leaves out none.
    """
    told = _clause_before_comma(tokens, at, grammar)
    if drops_speaker(told, grammar):
        return with_speaker(told), 1
    return tokens, at


def _clause_before_comma(
    tokens: Words, at: int | None, grammar: Grammar
) -> Words:
    """Return what stands before the verb at *at* and a comma, where it may be a clause without its
    "I": "Borrowed the PA, needs to go back". With a past form behind the comma, the whole: "Gave it
    back, bought one".
    """
    if at is None:
        return tokens
    before = at - 1
    while before > 0 and grammar.has("adverbs", tokens[before].low):
        before -= 1
    if tokens[before].low != ",":
        return []
    return tokens if grammar.past(tokens[at]) else tokens[:before]
