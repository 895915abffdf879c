"""What follows the verbs of a clause, split at prepositions into noun phrases."""

from typing import NamedTuple

from companion.language.claims.grammar import Grammar
from companion.language.sentences import Token

MAX_WORDS = 20  # longer subjects and objects are no names of things


class Complement(NamedTuple):
    """One noun phrase after the verbs, with the preposition before it."""

    preposition: str  # "," for an apposition
    words: list[Token]
    opening: tuple[Token, ...] = ()  # the preposition as it stands


def complements(tokens: list[Token], at: int, grammar: Grammar) -> tuple[list[Complement], int]:
    """Return the complements from *at* on, and where the clause stops."""
    found: list[Complement] = []
    opening: list[Token] = []
    words: list[Token] = []
    while at < len(tokens) and not _stops(tokens, at, words, grammar):
        if words and grammar.has("prepositions", tokens[at].low) and _little(words, grammar):
            words = []  # "wird jetzt von Anna geleitet"
        if _opens(tokens, at, words, grammar):
            if words:
                found.append(_complement(opening, words))
                opening = []
            opening, words = [*opening, tokens[at]], []
        else:
            words.append(tokens[at])
        at += 1
    if words:
        found.append(_complement(opening, words))
    named = _apposition(tokens, at, grammar) if words and not capital(words[-1]) else []
    if named:
        found.append(Complement(",", named))
        at += len(named) + 1
    return [one for one in _with_hours(found, grammar) if _says_something(one.words, grammar)], at


def _with_hours(found: list[Complement], grammar: Grammar) -> list[Complement]:
    """ "On Tuesdays at six" is one time."""
    joined: list[Complement] = []
    for one in found:
        if (
            joined
            and grammar.has("clock", one.preposition)
            and grammar.has("weekdays", joined[-1].words[0].low)
        ):
            joined[-1] = joined[-1]._replace(words=[*joined[-1].words, *one.opening, *one.words])
        else:
            joined.append(one)
    return joined


def next_verb(tokens: list[Token], at: int, grammar: Grammar) -> int | None:
    """Return where another verb of the same subject follows an "and" or a comma at *at*."""
    rest = at
    while rest < len(tokens) and (
        grammar.has("joins", tokens[rest].low) or grammar.has("adverbs", tokens[rest].low)
    ):
        rest += 1
    if rest == at or rest >= len(tokens) or tokens[rest].text != tokens[rest].low:
        return None
    low = tokens[rest].low
    lemma = grammar.lemma(low)
    inflected = (
        lemma not in (None, low)
        and not low.endswith("ing")
        and not (grammar.v2 and low.endswith("en"))
    )
    return rest if inflected or grammar.auxiliary(low) else None


def value(words: list[Token], grammar: Grammar) -> list[Token]:
    """Return *words* without what stands around a value: articles, adverbs, marks."""
    words = list(words)
    while words and (
        grammar.has("adverbs", words[-1].low)
        or words[-1].low in (",", "and", '"', "!", "too", *_QUOTES)
    ):
        words.pop()
    while words and (_lower_article(words[0], grammar) or words[0].low in (",", '"', *_QUOTES)):
        words.pop(0)
    return unquoted(words)


def unquoted(words: list[Token]) -> list[Token]:
    """Return *words* without quotation marks, if they begin with one."""
    marks = ('"', *_QUOTES)
    return (
        [word for word in words if word.low not in marks]
        if words and words[0].low in marks
        else words
    )


def capital(word: Token) -> bool:
    """Tell whether *word* begins with a capital."""
    return word.text[:1].isupper()


_QUOTES = ("\u201c", "\u201d", "\u201e")
_STOPS = frozenset((";", "(", ")", "\u2014", "\u2013", "-", ":", "!", "?"))


def _complement(opening: list[Token], words: list[Token]) -> Complement:
    return Complement(" ".join(word.low for word in opening), words, tuple(opening))


def _little(words: list[Token], grammar: Grammar) -> bool:
    return grammar.v2 and all(grammar.has("adverbs", word.low) for word in words)


def _stops(tokens: list[Token], at: int, words: list[Token], grammar: Grammar) -> bool:
    word = tokens[at]
    if word.low in _STOPS or grammar.has("replaced", word.low):
        return True
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    if word.low == ",":  # "Washington, D.C." is one name
        named = bool(words) and following is not None and capital(words[-1]) and capital(following)
        return not named or following is None or grammar.has("little", following.low)
    if grammar.has("conjunctions", word.low):
        follows = following is not None and bool(words) and next_verb(tokens, at, grammar) is None
        return not follows or following is None or grammar.has("subjects", following.low)
    return grammar.has("breaks", word.low)


def _opens(tokens: list[Token], at: int, words: list[Token], grammar: Grammar) -> bool:
    """Tell whether the word *at* begins a new complement."""
    low = tokens[at].low
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    if following is None or (grammar.has("of", low) and (words or not grammar.v2)):
        return False
    if low == "out" and words and words[-1].low[-1:].isdigit():
        return False  # "74 out of 100" is one value
    if low in ("about", "around") and following.low[:1].isdigit():
        return False
    if grammar.has("prepositions", low) or (words and grammar.has("participial", low)):
        return True
    if not words:
        return grammar.has("particles", low)
    return _reduced(tokens, at, words, following, grammar)


def _reduced(
    tokens: list[Token], at: int, words: list[Token], following: Token, grammar: Grammar
) -> bool:
    """ "A workshop focused on …": a participle after the noun begins what is said of the noun."""
    low = tokens[at].low
    if grammar.has("determiners", words[-1].low) or grammar.has("adverbs", words[-1].low):
        return False
    if tokens[at].text != low or not grammar.participle(low):
        return False
    return (
        grammar.has("prepositions", following.low)
        or grammar.has("determiners", following.low)
        or capital(following)
    )


def _apposition(tokens: list[Token], at: int, grammar: Grammar) -> list[Token]:
    """ "My contact is my sister, Karen Liu": the name after the comma."""
    if at >= len(tokens) or tokens[at].low != ",":
        return []
    end = at + 1
    while end < len(tokens) and capital(tokens[end]) and not grammar.has("little", tokens[end].low):
        end += 1
    closed = (
        end == len(tokens)
        or tokens[end].low in (",", ";", "but")
        or grammar.has("conjunctions", tokens[end].low)
    )
    return tokens[at + 1 : end] if closed else []


def _says_something(words: list[Token], grammar: Grammar) -> bool:
    return len(words) <= MAX_WORDS and any(
        word.low[:1] in "$€£" or (word.low[:1].isalnum() and not _lower_article(word, grammar))
        for word in words
    )


def _lower_article(word: Token, grammar: Grammar) -> bool:
    """An article or an adverb, but not the first word of a title ("The Witcher")."""
    return (grammar.has("articles", word.low) and word.text == word.low) or grammar.has(
        "adverbs", word.low
    )
