"""Clauses to facts, without a parser or a model: by closed word classes and verb forms.

A clause is split into subject, verbs and complements. "Anna moved to Porto with her dog" gives
(Anna, moved to, Porto) and (Anna, moved with, her dog): one fact for each complement. Attributes
are read as such however they are said: "The R of X is Y", "X's R is Y", "the R that X plays is Y"
and "Y is the R of X" all speak of R of X.
"""

from collections.abc import Iterator
from itertools import takewhile

from companion.language.claims.asides import Aside, split_asides
from companion.language.claims.complements import (
    MAX_WORDS,
    Complement,
    is_capital,
    next_verb,
    read_complements,
)
from companion.language.claims.copular import copular_facts
from companion.language.claims.grammar import Grammar
from companion.language.claims.predication import Fact, Predication
from companion.language.claims.roles import is_common
from companion.language.claims.verbal import verbal_facts
from companion.language.claims.verbs import VerbGroup, read_verbs
from companion.language.claims.word_order import put_subject_first
from companion.language.sentences import Token


def read_facts(tokens: list[Token], text: str, grammar: Grammar) -> list[Fact]:
    """Return what the clause *tokens* states; "… and moved to Porto" keeps the same subject."""
    asides: list[Aside] = []
    if grammar.v2:
        tokens, at = put_subject_first(tokens, grammar)
    else:
        tokens, asides = split_asides(tokens, grammar)
        at = _find_verb(tokens, grammar)
    subject = [] if at is None else _read_subject(tokens[:at], grammar)
    if not subject or len(subject) > MAX_WORDS:
        return []
    facts: list[Fact] = []
    for aside in asides:
        facts += _aside_facts(aside, subject, text, grammar)
    while at is not None:
        verbs = read_verbs(tokens, at, grammar)
        complements, rest = read_complements(tokens, verbs.end, grammar)
        following = next_verb(tokens, rest, grammar)
        end = len(text) if following is None else tokens[following].start
        part = (0, len(text)) if grammar.v2 else (tokens[at].start, end)
        clause = Predication(subject, verbs, complements, text, grammar, part)
        facts += _facts_with_replacements(clause, tokens[rest:])
        at = following
    return facts


def _facts_with_replacements(
    clause: Predication, rest: list[Token]
) -> Iterator[Fact]:
    """Yield the facts of a clause, and what *rest* puts in the place of what it says."""
    yield from _facts_of(clause)
    replaced = _replaced_subject(clause, rest)
    if replaced is not None:
        yield from _facts_of(replaced)
    instead = _stated_instead(clause, rest)
    if instead is not None:
        yield from _facts_of(instead)


def _facts_of(clause: Predication) -> Iterator[Fact]:
    return verbal_facts(clause) if clause.verbs.lemma else copular_facts(clause)


def _stated_instead(
    clause: Predication, rest: list[Token]
) -> Predication | None:
    """Return what stands behind "but" after a denial, by the same verb.

    "No longer lives in Bern but in Rome".
    """
    grammar = clause.grammar
    if not clause.verbs.negated or not clause.complements:
        return None
    if rest and rest[0].low == ",":
        rest = rest[1:]
    if not rest or not grammar.has("instead", rest[0].low):
        return None
    complements, _ = read_complements(rest, 1, grammar)
    if not complements:
        return None
    # "no longer works for Globex but Initech"
    if not complements[0].preposition:
        complements[0] = _with_preposition_of(
            clause.complements[0], complements[0]
        )
    verbs = clause.verbs._replace(negated=False, instead=True)
    return clause._replace(complements=complements, verbs=verbs)


def _with_preposition_of(
    model: Complement, complement: Complement
) -> Complement:
    return complement._replace(
        preposition=model.preposition, opening=model.opening
    )


def _replaced_subject(
    clause: Predication, rest: list[Token]
) -> Predication | None:
    """Return the denial of a clause for the name that its subject replaces.

    "Ida plays the organ instead of Karl": Karl plays it no longer.
    """
    grammar = clause.grammar
    if (
        grammar.v2
        or not clause.verbs.lemma
        or not clause.complements
        or len(rest) < 2
    ):
        return None
    if not grammar.has("replaced", rest[0].low) or not grammar.has(
        "of", rest[1].low
    ):
        return None
    name = list(takewhile(is_capital, rest[2:]))
    thing = clause.complements[0].words
    if (
        name
        and is_common(thing[-1], grammar)
        and all(map(is_capital, clause.subject))
    ):
        return clause._replace(
            subject=name, verbs=clause.verbs._replace(negated=True)
        )
    return None


def _aside_facts(
    aside: Aside, subject: list[Token], text: str, grammar: Grammar
) -> Iterator[Fact]:
    verbs = _verbs_of_aside(aside, grammar)
    complements, _ = read_complements(aside.words, verbs.end, grammar)
    clause = Predication(subject, verbs, complements, text, grammar, aside.part)
    if not complements:
        # "Founded in 1911": without an object, but its time is its own
        yield clause.fact(subject, [], "", [], "aside")
    yield from _facts_of(clause)


def _verbs_of_aside(aside: Aside, grammar: Grammar) -> VerbGroup:
    if aside.kind == "apposition":
        return VerbGroup(0, "", "is")
    if aside.kind == "participle":
        word = aside.words[0].low
        return VerbGroup(1, grammar.lemma(word) or "", word, passive=True)
    return read_verbs(aside.words, 1, grammar)


def _find_verb(tokens: list[Token], grammar: Grammar) -> int | None:
    """Return where the verbs of the main clause begin, not those of a relative clause before it."""
    candidates = [
        at for at in range(1, len(tokens)) if grammar.finite(tokens, at)
    ]
    if not candidates:
        return None
    relative = _find_relative(tokens, grammar)
    opens_with_article = grammar.has("articles", tokens[0].low)
    if relative is None or candidates[0] < relative or not opens_with_article:
        return _back_over_adverbs(tokens, candidates[0], grammar)
    for at in candidates:
        copula = at > relative + 1 and grammar.has("copulas", tokens[at].low)
        passive = at + 1 < len(tokens) and grammar.participle(
            tokens[at + 1].low
        )
        if copula and not passive:
            return at
    return None


def _find_relative(tokens: list[Token], grammar: Grammar) -> int | None:
    for at, word in enumerate(tokens):
        if at > 1 and grammar.has("relatives", word.low):
            return at
    return None


def _back_over_adverbs(tokens: list[Token], at: int, grammar: Grammar) -> int:
    """Return where the words before the verb begin that belong to it: "I no longer work"."""
    while at > 1 and grammar.has_any(
        ("adverbs", "negations"), tokens[at - 1].low
    ):
        at -= 1
    return at


def _read_subject(words: list[Token], grammar: Grammar) -> list[Token]:
    """Return the subject among the words before the verb; empty where they name none."""
    if not words:
        return []
    first = words[0]
    if first.text == first.low and grammar.auxiliary(first.low):
        # "is led by …": the subject of this verb stands in another clause
        return []
    if len(words) > 1 and grammar.has("nominatives", words[-1].low):
        return words[-1:]  # "Before Portland I lived in …"
    if grammar.has_any(("prepositions", "breaks"), first.low):
        words = _after_opening(words, grammar)
    if len(words) > 2 and words[1].low == ",":
        words = words[2:]  # "Thus, …"
    while words and _is_loose_end(words[-1], grammar):
        words = words[:-1]
    while len(words) > 1 and (
        words[0].low == "," or grammar.has("adverbs", words[0].low)
    ):
        words = words[1:]
    return words


def _is_loose_end(word: Token, grammar: Grammar) -> bool:
    """Tell whether *word* stands behind the subject and is no part of it: a comma, an adverb."""
    adverb = grammar.has("adverbs", word.low) and word.text == word.low
    return adverb or word.low == ","


def _after_opening(words: list[Token], grammar: Grammar) -> list[Token]:
    """Return the words behind the opening of a clause, none where it only sets a condition.

    "For example, X …" speaks of X; "if you …" and "in a world where X …" state nothing.
    """
    if grammar.has("conditions", words[0].low):
        return []
    commas = [at for at, word in enumerate(words) if word.low == ","]
    return words[commas[-1] + 1 :] if commas else []
