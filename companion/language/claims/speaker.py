"""The speaker that a diary leaves out: "Moved to Leeds in May", "Bin nach Kiel gezogen"."""

from companion.language.claims.grammar import Grammar
from companion.language.sentences import Token, Words

# kinds of words behind it: "Moved to Leeds", "Moved the piano to the hall"
_BEHIND_MOVING = ("prepositions", "particles", "determiners")


def drops_speaker(words: Words, grammar: Grammar) -> bool:
    """Tell whether *words* tell without "I" of a change: a past verb of moving opens them.

    A participle that may be a passive ("Founded in 1911") is none of these.
    """
    if len(words) < 3:
        return False
    first, second = words[:2]
    if grammar.v2:
        return _is_first_person(first, words, grammar)
    lemma = grammar.lemma(first.low)
    if not grammar.has("moving", lemma or "") or not grammar.past(first):
        return False
    if any(grammar.has("agents", word.low) for word in words):
        return False
    return grammar.has_any(_BEHIND_MOVING, second.low)


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
