"""Verb-second languages, put into the order subject, verbs, rest, so that one splitter reads both
kinds.
"""

from companion.language.claims.grammar import Grammar
from companion.language.sentences import Token


def in_order(tokens: list[Token], grammar: Grammar) -> tuple[list[Token], int | None]:
    """Return the words of a clause with the subject first and its verbs together, and where the
    finite one then stands.

    "Seit März arbeite ich bei Acme" has its subject behind the verb; "wurde von Anna gegründet" its
    participle at the end. Where no finite verb is found, the place is None.
    """
    at = next((n for n in range(len(tokens)) if grammar.finite(tokens, n)), None)
    if at is None or grammar.has("breaks", tokens[0].low):
        return tokens, None
    before, after = tokens[:at], tokens[at + 1 :]
    length = _subject_behind(before, after, grammar)
    if length:
        subject, rest = after[:length], after[length:]
        rest = [*rest, *before] if before and grammar.has("prepositions", before[0].low) else rest
    else:
        subject, rest = before, after
    if not subject:
        return tokens, None
    denial, rest = _denial(rest, grammar)
    closing, rest = _closing(rest, tokens[at], grammar)
    return [*subject, *denial, tokens[at], *closing, *rest], len(subject)


def _subject_behind(before: list[Token], after: list[Token], grammar: Grammar) -> int:
    """Return how many words behind the verb are the subject; 0 where it stands before."""
    if after and grammar.has("nominatives", after[0].low):
        named = bool(before) and not grammar.has("prepositions", before[0].low)
        return 0 if named and after[0].low in ("sie", "es", "ihr") else 1
    if (
        before
        and not grammar.has("prepositions", before[0].low)
        and not all(grammar.has("adverbs", word.low) for word in before)
    ):
        return 0
    length = 0
    while length < len(after) and _nominal(after, length, grammar):
        length += 1
    return length


def _denial(rest: list[Token], grammar: Grammar) -> tuple[list[Token], list[Token]]:
    """Take "nicht" and "nicht mehr" out of the middle of the clause."""
    for at, word in enumerate(rest):
        if grammar.has("negations", word.low) and not grammar.has("determiners", word.low):
            end = at + 2 if at + 1 < len(rest) and rest[at + 1].low == "mehr" else at + 1
            return rest[at:end], rest[:at] + rest[end:]
    return [], rest


def _nominal(words: list[Token], at: int, grammar: Grammar) -> bool:
    word = words[at]
    if (
        grammar.has("prepositions", word.low)
        or grammar.has("adverbs", word.low)
        or grammar.has("negations", word.low)
    ):
        return False
    if at and grammar.has("articles", word.low):
        return False
    return word.text != word.low or grammar.has("determiners", word.low)


def _closing(rest: list[Token], finite: Token, grammar: Grammar) -> tuple[list[Token], list[Token]]:
    """Take the participle or infinitive from the end of the clause ("gegründet", "ziehen",
    "gegründet worden").
    """
    companion = grammar.auxiliary(finite.low)
    end = len(rest)
    while end and (
        grammar.has("auxiliaries", rest[end - 1].low) or rest[end - 1].low in (",", "!", "zu")
    ):
        end -= 1
    if not companion or not end:
        return [], rest
    last = rest[end - 1]
    if last.text != last.low or grammar.lemma(last.low) is None:
        return [], rest
    return [last], rest[: end - 1]
