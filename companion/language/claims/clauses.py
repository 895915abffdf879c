"""Clauses to facts, without a parser or a model: by closed word classes and verb forms.

A clause is split into subject, verbs and complements. "Anna moved to Porto with her dog" gives
(Anna, moved to, Porto) and (Anna, moved with, her dog): one fact for each complement. Attributes
are read as such however they are said: "The R of X is Y", "X's R is Y", "the R that X plays is Y"
and "Y is the R of X" all speak of R of X.
"""

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple

from companion.language.claims.certainty import (
    is_command,
    is_verbal,
    names_subject,
    stands_for_named,
)
from companion.language.claims.complements import (
    MAX_WORDS,
    Complement,
    is_capital,
    next_verb,
    read_complements,
)
from companion.language.claims.facts.asides import Aside, split_asides
from companion.language.claims.facts.contractions import write_out_copula
from companion.language.claims.facts.copular import copular_facts
from companion.language.claims.facts.verbal import verbal_facts
from companion.language.claims.grammar import Grammar
from companion.language.claims.predication import Fact, Predication
from companion.language.claims.roles import Role, is_common, role_of
from companion.language.claims.scope import (
    split_main_clauses,
    without_relatives,
)
from companion.language.claims.speaker import (
    drops_speaker,
    put_speaker_first,
    with_speaker,
)
from companion.language.claims.verbs import VerbGroup, read_verbs
from companion.language.claims.word_order import put_subject_first
from companion.language.names.work_titles import goes_on_in_title
from companion.language.sentences import Token, Words, tokenize

# "gefrotzelt", "angerufen", "verzockt", "telefoniert"
_PARTICIPLE = re.compile(
    r"\w{0,4}ge\w{3,}(?:t|en)|(?:be|ent|er|ver|zer)\w{3,}(?:t|en)|\w+iert"
)
# behind "is broken"
_NOTHING_MORE = re.compile(r"\s*(?:$|[.!?,;:)]|(?:and|or|but)\b)")
_PERFECT = ("habe", "hab", "hast", "hat", "haben", "habt")


class Clause(NamedTuple):
    """One clause of a sentence, by its places in the text."""

    words: str  # with its first words, which say nothing
    start: int  # behind them
    end: int
    sentence: str
    following: str  # of the sentence, behind the clause
    grammar: Grammar

    @property
    def shift(self) -> int:
        """Return where *words* begin in the text."""
        return self.end - len(self.words)

    def speaking(self, words: str) -> "Clause":
        """Return the clause with only those *words* of it that speak for one fact."""
        return self._replace(words=words)


def split_clauses(
    text: str, start: int, end: int, grammar: Grammar
) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of the clauses of the sentence text[start:end]."""
    for cut in grammar.rules["clause.split"].finditer(text, start, end):
        before = text[start : cut.start()]
        after = text[cut.end() : end]
        if _goes_on(before, cut.group(), after, grammar):
            continue
        if before:
            yield from split_main_clauses(text, start, cut.start(), grammar)
        start = cut.end()
    if start < end:
        yield from split_main_clauses(text, start, end, grammar)


def _goes_on(before: str, cut: str, after: str, grammar: Grammar) -> bool:
    """Tell whether the clause goes on behind "but" or a colon: "not in Bern but in Rome"."""
    if cut.strip() == ":":
        return goes_on_in_title(before, after, grammar)
    if not grammar.has("instead", cut.strip(" ,").lower()):
        return False
    words = tokenize(before, 0, len(before))
    if not any(_denies(word.low, grammar) for word in words):
        return False
    words = tokenize(after, 0, len(after))
    places = range(len(words))
    return not any(grammar.finite(words, at) for at in places)


def _denies(low: str, grammar: Grammar) -> bool:
    return low == "no" or grammar.has("negations", low)


def read_facts(tokens: Words, text: str, grammar: Grammar) -> list[Fact]:
    """Return what the clause *tokens* states; "… and moved to Porto" keeps the same subject."""
    asides: list[Aside] = []
    tokens = write_out_copula(tokens, grammar)
    if not grammar.v2:
        tokens, asides = split_asides(tokens, grammar)
    tokens, at = _put_verb_second(tokens, grammar)
    if at is None or _ends_in_unknown_participle(tokens, at, grammar):
        return []
    subject = _certain_subject(tokens, at, grammar)
    if not subject:
        return []
    facts: list[Fact] = []
    for aside in asides:
        facts += _aside_facts(aside, subject, text, grammar)
    facts += _verb_facts(tokens, at, subject, text, grammar)
    return facts


def _put_verb_second(
    tokens: Words, grammar: Grammar
) -> tuple[Words, int | None]:
    """Return a clause with its subject first, and where its verbs begin; None where it has none."""
    if grammar.v2:
        tokens = without_relatives(tokens, grammar)
        if drops_speaker(tokens, grammar):
            tokens = with_speaker(tokens)
        return put_subject_first(tokens, grammar)
    at = _find_verb(tokens, grammar)
    return put_speaker_first(tokens, at, grammar)


def _ends_in_unknown_participle(
    tokens: Words, at: int, grammar: Grammar
) -> bool:
    """Tell whether nobody knows the verb of a German perfect: "habe mit Anna gefrotzelt"."""
    if not grammar.v2 or tokens[at].low not in _PERFECT:
        return False
    words = [word for word in tokens if word.low not in (",", "!")]
    last = words[-1]
    if last.text != last.low or grammar.lemma(last.low) is not None:
        return False
    return _PARTICIPLE.fullmatch(last.low) is not None


def _certain_subject(tokens: Words, at: int, grammar: Grammar) -> Words:
    """Return the subject before the verb at *at*; empty where no words surely are it."""
    subject = _read_subject(tokens[:at], grammar)
    if not subject or len(subject) > MAX_WORDS:
        return []
    if any(_is_foreign(word, grammar) for word in subject):
        return []
    if role_of(subject, grammar) is None:
        subject = _without_relative(subject, grammar)
    if not names_subject(subject, grammar):
        return []
    if is_command(subject, tokens[at], grammar):
        return []
    return subject


def _is_foreign(word: Token, grammar: Grammar) -> bool:
    """Tell whether *word* shows that a subject has a clause inside: "the fact that you …"."""
    if grammar.v2 and word.low == ",":
        return True  # of which only a part was taken out
    return grammar.has("second", word.low)


def _without_relative(subject: Words, grammar: Grammar) -> Words:
    """Return the head of "the clinic that could close"."""
    at = _find_relative(subject, grammar)
    if at is None or not grammar.has("articles", subject[0].low):
        return subject
    return subject[:at]


def _verb_facts(
    tokens: Words,
    first: int,
    subject: Words,
    text: str,
    grammar: Grammar,
) -> Iterator[Fact]:
    """Yield the facts of each verb of *subject*, from the verb at *first* on."""
    at: int | None = first
    while at is not None:
        verbs = read_verbs(tokens, at, grammar)
        complements, stop = read_complements(tokens, verbs.end, grammar)
        following = _next_finite(tokens, stop, complements, grammar)
        start = tokens[at].start
        end = len(text)
        if grammar.v2:
            start = 0
        elif following is not None:
            end = tokens[following].start
        part = (start, end)
        clause = Predication(subject, verbs, complements, text, grammar, part)
        if _is_bare_state(tokens, clause):
            yield _state_fact(clause, tokens)
        elif stands_for_named(subject, verbs, complements, grammar):
            yield from _facts_with_replacements(clause, tokens[stop:])
        at = following


def _next_finite(
    tokens: Words, stop: int, complements: list[Complement], grammar: Grammar
) -> int | None:
    """Return where another verb of the subject follows; "is to sing and get heard" has none."""
    at = next_verb(tokens, stop, grammar)
    if at is None or not complements or grammar.v2:
        return at
    is_plain = grammar.lemma(tokens[at].low) in (None, tokens[at].low)
    if is_plain and is_verbal(complements[0], grammar):
        return None
    return at


def _is_bare_state(tokens: Words, clause: Predication) -> bool:
    """Tell whether a clause says in what state a thing is, and no more: "the boiler is broken".

    What has a time beside it ("is expected in May") is more.
    """
    grammar = clause.grammar
    verbs = clause.verbs
    if grammar.v2 or clause.complements or verbs.past or verbs.end < 2:
        return False
    if not verbs.passive or not verbs.lemma:
        return False
    if grammar.has("things", clause.subject[0].low):
        return False  # "and it's done"
    if not grammar.has("copulas", tokens[verbs.end - 2].low):
        return False
    behind = clause.text[tokens[verbs.end - 1].end :]
    return _NOTHING_MORE.match(behind) is not None


def _state_fact(clause: Predication, tokens: Words) -> Fact:
    helper, state = tokens[clause.verbs.end - 2 : clause.verbs.end]
    word = "is" if helper.low in ("been", "being", "be") else helper.low
    attribute = role_of(clause.subject, clause.grammar)
    thing, role = attribute or Role(clause.subject, [])
    return clause.with_copula(word).fact(thing, role, "", [state], "state")


def _facts_with_replacements(
    clause: Predication, rest: Words
) -> Iterator[Fact]:
    """Yield the facts of a clause, and what *rest* puts in the place of what it says."""
    yield from _facts_of(clause)
    for find in (_replaced_subject, _stated_instead):
        replacement = find(clause, rest)
        if replacement is not None:
            yield from _facts_of(replacement)


def _facts_of(clause: Predication) -> Iterator[Fact]:
    if clause.verbs.lemma:
        return verbal_facts(clause)
    return copular_facts(clause)


def _stated_instead(clause: Predication, rest: Words) -> Predication | None:
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


def _replaced_subject(clause: Predication, rest: Words) -> Predication | None:
    """Return the denial of a clause for the name that its subject replaces.

    "Ida plays the organ instead of Karl": Karl plays it no longer.
    """
    grammar = clause.grammar
    if grammar.v2 or not clause.verbs.lemma or not clause.complements:
        return None
    if not _opens_with_instead_of(rest, grammar):
        return None
    name = list(takewhile(is_capital, rest[2:]))
    thing = clause.complements[0].words
    if not name or not is_common(thing[-1], grammar):
        return None
    if not all(map(is_capital, clause.subject)):
        return None
    denied = clause.verbs._replace(negated=True)
    return clause._replace(subject=name, verbs=denied)


def _opens_with_instead_of(words: Words, grammar: Grammar) -> bool:
    if len(words) < 2 or not grammar.has("replaced", words[0].low):
        return False
    return grammar.has("of", words[1].low)


def _aside_facts(
    aside: Aside, subject: Words, text: str, grammar: Grammar
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


def _find_verb(tokens: Words, grammar: Grammar) -> int | None:
    """Return where the verbs of the main clause begin, not those of a relative clause before it."""
    places = range(1, len(tokens))
    candidates = [at for at in places if grammar.finite(tokens, at)]
    if not candidates:
        return None
    first = candidates[0]
    relative = _find_relative(tokens, grammar)
    opens_with_article = grammar.has("articles", tokens[0].low)
    if relative is None or first < relative or not opens_with_article:
        return _back_over_adverbs(tokens, first, grammar)
    for at in candidates:
        if at > relative + 1 and _is_bare_copula(tokens, at, grammar):
            return at
    return None


def _is_bare_copula(tokens: Words, at: int, grammar: Grammar) -> bool:
    """Tell whether a copula stands at *at* that makes no passive with the next word."""
    if not grammar.has("copulas", tokens[at].low):
        return False
    behind = tokens[at + 1 : at + 2]
    return not any(grammar.participle(word.low) for word in behind)


def _find_relative(tokens: Words, grammar: Grammar) -> int | None:
    for at, word in enumerate(tokens):
        if at > 1 and grammar.has("relatives", word.low):
            return at
    return None


def _back_over_adverbs(tokens: Words, at: int, grammar: Grammar) -> int:
    """Return where the words before the verb begin that belong to it: "I no longer work"."""
    kinds = ("adverbs", "negations")
    while at > 1 and grammar.has_any(kinds, tokens[at - 1].low):
        at -= 1
    return at


def _read_subject(words: Words, grammar: Grammar) -> Words:
    """Return the subject among the words before the verb; empty where they name none."""
    if not words:
        return []
    first = words[0]
    if first.text == first.low and grammar.auxiliary(first.low):
        # "is led by …": the subject of this verb stands in another clause
        return []
    if len(words) > 1 and grammar.has("nominatives", words[-1].low):
        if _depends_on(words[:-1], grammar):
            return []
        return words[-1:]  # "Before Portland I lived in …"
    if grammar.has_any(("prepositions", "breaks"), first.low):
        words = _after_opening(words, grammar)
    if len(words) > 2 and words[1].low == ",":
        words = words[2:]  # "Thus, …"
    return _without_loose_ends(words, grammar)


def _depends_on(words: Words, grammar: Grammar) -> bool:
    """Tell whether *words* make a condition or a guess of what follows.

    "Report it when I ask", "people assume I studied law".
    """
    if not grammar.v2 and grammar.has("conditions", words[-1].low):
        return True
    lemmas = [grammar.lemma(word.low) or "" for word in words]
    return any(grammar.has("assuming", lemma) for lemma in lemmas)


def _without_loose_ends(words: Words, grammar: Grammar) -> Words:
    """Return *words* without the commas and adverbs around the subject, which keeps one word."""
    while words and _is_loose_end(words[-1], grammar):
        words = words[:-1]
    while len(words) > 1 and _is_mark_or_adverb(words[0], grammar):
        words = words[1:]
    return words


def _is_loose_end(word: Token, grammar: Grammar) -> bool:
    """Tell whether *word* stands behind the subject and is no part of it: a comma, an adverb."""
    return word.text == word.low and _is_mark_or_adverb(word, grammar)


def _is_mark_or_adverb(word: Token, grammar: Grammar) -> bool:
    return word.low == "," or grammar.has("adverbs", word.low)


def _after_opening(words: Words, grammar: Grammar) -> Words:
    """Return the words behind the opening of a clause, none where it only sets a condition.

    "For example, X …" speaks of X; "if you …" and "in a world where X …" state nothing.
    """
    if grammar.has("conditions", words[0].low):
        return []
    commas = [at for at, word in enumerate(words) if word.low == ","]
    if not commas:
        return []
    return words[commas[-1] + 1 :]
