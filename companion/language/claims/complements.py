"""Complements: the noun phrases after the verbs of a clause, split at prepositions."""

from typing import NamedTuple

from companion.language.claims.grammar import Grammar
from companion.language.sentences import Token

MAX_WORDS = 20  # longer subjects and objects are no names of things
_QUOTES = ('"', "\u201c", "\u201d", "\u201e")
_STOPS = frozenset((";", "(", ")", "\u2014", "\u2013", "-", ":", "!", "?"))


class Complement(NamedTuple):
    """One noun phrase after the verbs, with the preposition before it."""

    preposition: str  # "," for an apposition
    words: list[Token]
    opening: tuple[Token, ...] = ()  # the preposition as it stands


def read_complements(
    tokens: list[Token], at: int, grammar: Grammar
) -> tuple[list[Complement], int]:
    """Return the complements from *at* on, and where the clause stops."""
    found: list[Complement] = []
    opening: list[Token] = []
    words: list[Token] = []
    while at < len(tokens) and not _stops(tokens, at, words, grammar):
        token = tokens[at]
        if (
            words
            and grammar.has("prepositions", token.low)
            and _is_filler(words, grammar)
        ):
            words = []  # "wird jetzt von Anna geleitet"
        if _opens(tokens, at, words, grammar):
            if words:
                found.append(_complement(opening, words))
                opening = []
            opening = [*opening, token]
            words = []
        else:
            words.append(token)
        at += 1
    if words:
        found.append(_complement(opening, words))
        name = [] if is_capital(words[-1]) else _apposition(tokens, at, grammar)
        if name:
            found.append(Complement(",", name))
            at += len(name) + 1
    found = _with_hours(found, grammar)
    return [one for one in found if _says_something(one.words, grammar)], at


def next_verb(tokens: list[Token], at: int, grammar: Grammar) -> int | None:
    """Return where another verb of the same subject follows an "and" or a comma at *at*."""
    rest = at
    while rest < len(tokens) and grammar.has_any(
        ("joins", "adverbs"), tokens[rest].low
    ):
        rest += 1
    if (
        rest == at
        or rest >= len(tokens)
        or tokens[rest].text != tokens[rest].low
    ):
        return None
    low = tokens[rest].low
    return (
        rest if grammar.auxiliary(low) or _is_inflected(low, grammar) else None
    )


def strip_value(words: list[Token], grammar: Grammar) -> list[Token]:
    """Return *words* without what stands around a value: articles, adverbs, marks."""
    behind = (",", "and", "!", "too", *_QUOTES)
    words = list(words)
    while words and (
        words[-1].low in behind or grammar.has("adverbs", words[-1].low)
    ):
        words.pop()
    before = (",", *_QUOTES)
    while words and (words[0].low in before or _is_little(words[0], grammar)):
        words.pop(0)
    return unquoted(words)


def unquoted(words: list[Token]) -> list[Token]:
    """Return *words* without quotation marks, if they begin with one."""
    if not words or words[0].low not in _QUOTES:
        return words
    return [word for word in words if word.low not in _QUOTES]


def is_capital(word: Token) -> bool:
    """Tell whether *word* begins with a capital."""
    return word.text[:1].isupper()


def _complement(opening: list[Token], words: list[Token]) -> Complement:
    return Complement(
        " ".join(word.low for word in opening), words, tuple(opening)
    )


def _with_hours(found: list[Complement], grammar: Grammar) -> list[Complement]:
    """Return the complements with an hour put to its weekday: "on Tuesdays at six" is one time."""
    joined: list[Complement] = []
    for one in found:
        last = joined[-1] if joined else None
        is_hour = last is not None and grammar.has("clock", one.preposition)
        if (
            is_hour
            and last is not None
            and grammar.has("weekdays", last.words[0].low)
        ):
            joined[-1] = last._replace(
                words=[*last.words, *one.opening, *one.words]
            )
        else:
            joined.append(one)
    return joined


def _is_inflected(low: str, grammar: Grammar) -> bool:
    """Tell whether *low* is a verb in a form of its own, and no infinitive or gerund."""
    if grammar.lemma(low) in (None, low) or low.endswith("ing"):
        return False
    return not (grammar.v2 and low.endswith("en"))


def _is_filler(words: list[Token], grammar: Grammar) -> bool:
    return grammar.v2 and all(
        grammar.has("adverbs", word.low) for word in words
    )


def _stops(
    tokens: list[Token], at: int, words: list[Token], grammar: Grammar
) -> bool:
    """Tell whether the clause stops before the word at *at*, after the *words* of a complement."""
    word = tokens[at]
    if word.low in _STOPS or grammar.has("replaced", word.low):
        return True
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    if word.low == ",":
        return (
            not words
            or following is None
            or not _joins_name(words[-1], following, grammar)
        )
    if grammar.has("conjunctions", word.low):
        if (
            following is None
            or not words
            or next_verb(tokens, at, grammar) is not None
        ):
            return True
        return grammar.has("subjects", following.low)
    return grammar.has("breaks", word.low)


def _joins_name(last: Token, following: Token, grammar: Grammar) -> bool:
    """Tell whether a comma stands within a name: "Washington, D.C." is one."""
    capitals = is_capital(last) and is_capital(following)
    return capitals and not grammar.has("little", following.low)


def _opens(
    tokens: list[Token], at: int, words: list[Token], grammar: Grammar
) -> bool:
    """Tell whether the word at *at* begins a new complement after *words*."""
    low = tokens[at].low
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    if following is None or (
        grammar.has("of", low) and (words or not grammar.v2)
    ):
        return False
    if low == "out" and words and words[-1].low[-1:].isdigit():
        return False  # "74 out of 100" is one value
    if low in ("about", "around") and following.low[:1].isdigit():
        return False
    if grammar.has("prepositions", low):
        return True
    if not words:
        return grammar.has("particles", low)
    if grammar.has("participial", low):
        return True
    return _opens_with_participle(tokens[at], words[-1], following, grammar)


def _opens_with_participle(
    word: Token, last: Token, following: Token, grammar: Grammar
) -> bool:
    """Tell whether a participle begins what is said of the noun before it.

    "A workshop focused on …".
    """
    if grammar.has_any(("determiners", "adverbs"), last.low):
        return False
    if word.text != word.low or not grammar.participle(word.low):
        return False
    has_object = grammar.has_any(("prepositions", "determiners"), following.low)
    return has_object or is_capital(following)


def _apposition(tokens: list[Token], at: int, grammar: Grammar) -> list[Token]:
    """Return the name after the comma: "my contact is my sister, Karen Liu"; else nothing."""
    if at >= len(tokens) or tokens[at].low != ",":
        return []
    end = at + 1
    while (
        end < len(tokens)
        and is_capital(tokens[end])
        and not grammar.has("little", tokens[end].low)
    ):
        end += 1
    if end == len(tokens) or tokens[end].low in (",", ";", "but"):
        return tokens[at + 1 : end]
    return (
        tokens[at + 1 : end]
        if grammar.has("conjunctions", tokens[end].low)
        else []
    )


def _says_something(words: list[Token], grammar: Grammar) -> bool:
    return len(words) <= MAX_WORDS and any(
        _is_matter(word, grammar) for word in words
    )


def _is_matter(word: Token, grammar: Grammar) -> bool:
    first = word.low[:1]
    return first in "$€£" or (first.isalnum() and not _is_little(word, grammar))


def _is_little(word: Token, grammar: Grammar) -> bool:
    """Tell whether *word* is an article or an adverb; "The" of "The Witcher" is none."""
    article = grammar.has("articles", word.low) and word.text == word.low
    return article or grammar.has("adverbs", word.low)
