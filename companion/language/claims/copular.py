"""Facts of clauses with a copula: "X is Y", "the R of X is Y", "Y is the R of X", "X is in Y"."""

from collections.abc import Iterator

from companion.language.claims.complements import Complement, is_capital
from companion.language.claims.grammar import Grammar
from companion.language.claims.predication import (
    FILLED,
    Fact,
    Predication,
    is_full_name,
    is_pronoun,
    starts_with_digit,
)
from companion.language.claims.roles import (
    Role,
    is_common,
    named_relation,
    role_of,
    split_at_of,
)
from companion.language.sentences import Token

_MAX_PLACES = 2
# "a band formed in Y": a longer noun phrase is a description
_MAX_KIND_WORDS = 4


def copular_facts(clause: Predication) -> Iterator[Fact]:
    """Yield the facts of a clause whose only verb is a copula."""
    relation = named_relation(clause.subject, clause.grammar)
    if relation is not None:
        yield relation_fact(clause, relation)
        clause = clause._replace(subject=relation.thing)
    if not clause.complements:
        return
    attribute = role_of(clause.subject, clause.grammar) or _genitive_role(
        clause
    )
    if attribute is not None:
        yield from _attribute_facts(clause, attribute)
    elif clause.complements[0].preposition:
        for one in clause.complements[:_MAX_PLACES]:
            yield clause.fact(
                clause.subject, [], one.preposition, one.words, "place"
            )
    else:
        yield from _description_facts(clause)


def relation_fact(clause: Predication, relation: Role) -> Fact:
    """Return who somebody is to the speaker: "my sister Karen" is Karen."""
    plain = clause.with_copula()
    plain = plain._replace(verbs=plain.verbs._replace(negated=False))
    return plain.fact(
        clause.subject[:1], relation.role, "", relation.thing, "relation"
    )


def owner_facts(clause: Predication) -> Iterator[Fact]:
    """Yield who is what for somebody: "Ada is my manager", "Ada became our doctor"."""
    grammar = clause.grammar
    becomes = not clause.verbs.lemma or grammar.has(
        "becoming", clause.verbs.lemma
    )
    if (
        not becomes
        or not clause.complements
        or clause.complements[0].preposition
    ):
        return
    words = clause.complements[0].words
    owned = len(words) > 1 and grammar.has("possessives", words[0].low)
    if not owned or is_pronoun(clause.subject, grammar):
        return
    if not all(is_common(word, grammar) for word in words[1:]):
        return
    plain = clause.with_copula()
    fact = plain.fact(
        words[:1], words[1:], "", clause.subject, "attribute-inverse"
    )
    yield fact._replace(verbs=clause.verbs)


def _genitive_role(clause: Predication) -> Role | None:
    """Return the role before its noun: "Annas Zahnarzt ist Frau Weber", where the value is a name."""
    words = clause.subject
    if (
        not clause.grammar.v2
        or len(words) != 2
        or not all(map(is_capital, words))
    ):
        return None
    owner = words[0]
    value = clause.complements[0]
    if not owner.low.endswith(("s", "'")) or value.preposition:
        return None
    if (
        not is_full_name(value.words, clause.grammar)
        or owner.low == value.words[0].low
    ):
        return None
    name = owner.text.rstrip("'\u2019")
    if name == owner.text:
        name = name.removesuffix("s")
    thing = owner._replace(
        text=name, low=name.lower(), end=owner.start + len(name)
    )
    return Role([thing], words[1:])


def _attribute_facts(clause: Predication, attribute: Role) -> Iterator[Fact]:
    thing, role = attribute
    first = clause.complements[0]
    apposed = (one for one in clause.complements[1:] if one.preposition == ",")
    name = next(apposed, None)
    many = _is_plural(role[-1]) and clause.grammar.has(
        "many", clause.verbs.word
    )
    if name is not None and not many:
        # "my contact is my sister, Karen Liu": one person, by the name
        yield clause.fact(thing, role, "", name.words, "attribute", one=True)
        return
    words = [*first.words, *_continuation(clause.complements)]
    yield clause.fact(
        thing, role, first.preposition, words, "attribute", one=not many
    )
    if name is not None:
        yield clause.fact(thing, role, "", name.words, "attribute")


def _is_plural(noun: Token) -> bool:
    return noun.low.endswith("s") and not noun.low.endswith("ss")


def _continuation(complements: list[Complement]) -> list[Token]:
    """Return the words with which a value that is no name goes on to the end of its clause.

    "An MSc in Linguistics", "the 4th floor at the back".
    """
    last = complements[0].words[-1]
    if last.text.istitle() and len(last.text) > 1:
        return []
    words: list[Token] = []
    for one in complements[1:]:
        if one.preposition != ",":
            words += [*one.opening, *one.words]
    return words


def _description_facts(clause: Predication) -> Iterator[Fact]:
    """Yield the facts of "Y is the R of X", "X is a citizen of Y", "X is famous for Y", "X is Y"."""
    yield from owner_facts(clause)
    words = clause.complements[0].words
    grammar = clause.grammar
    role_facts = list(_role_facts(clause, words))
    if role_facts:
        yield from role_facts
        return
    describes = is_common(words[-1], grammar) and len(words) <= _MAX_KIND_WORDS
    if (
        describes
        and not starts_with_digit(words)
        and not grammar.has("weekdays", words[0].low)
    ):
        yield from _kind_facts(clause, words)
    yield from _identity_facts(clause, words)


def _role_facts(clause: Predication, words: list[Token]) -> Iterator[Fact]:
    """Yield the facts of "Y is the R of X" and "X is a citizen of Y"."""
    grammar = clause.grammar
    cut = split_at_of(words, grammar)
    if cut is None:
        return
    role = words[:cut]
    thing = words[cut + 1 :]
    has_article = grammar.has("articles", role[0].low)
    if not (has_article or grammar.v2) or not is_common(role[-1], grammar):
        return
    definite = not has_article or grammar.has("definite", role[0].low)
    role = role[1:] if has_article else role
    if definite and not is_pronoun(clause.subject, grammar):
        yield clause.fact(
            thing, role, "", clause.subject, "attribute-inverse", one=True
        )
    yield clause.fact(clause.subject, role, words[cut].low, thing, "kind-of")


def _kind_facts(clause: Predication, words: list[Token]) -> Iterator[Fact]:
    """Yield the facts of "is responsible for X", "is a band formed in Y by Z"."""
    grammar = clause.grammar
    role = [
        word
        for word in words
        if not grammar.has_any(("articles", "adverbs"), word.low)
    ]
    for one in clause.complements[1:4]:
        if one.preposition == ",":
            continue
        preposition = one.preposition
        if len(one.opening) > 1 and grammar.participle(one.opening[0].low):
            verb = one.opening[0]
            role = [verb._replace(low=grammar.lemma(verb.low) or verb.low)]
            preposition = " ".join(word.low for word in one.opening[1:])
        yield clause.fact(
            clause.subject, role, preposition, one.words, "kind-with"
        )


def _identity_facts(clause: Predication, words: list[Token]) -> Iterator[Fact]:
    """Yield that the subject is *words*: a name, a number, a day, or the whole that is said."""
    grammar = clause.grammar
    first = words[0]
    counted = starts_with_digit(words)
    named = (
        counted or first.text != first.low or grammar.has("articles", first.low)
    )
    timed = grammar.has("weekdays", first.low)
    if not (named or timed or len(clause.complements) == 1):
        return
    if counted or grammar.has("definite", first.low):
        # "500 requests per minute", "the largest port in Europe"
        words = [*words, *_continuation(clause.complements)]
    if not _fills_role(clause, words):
        yield clause.fact(clause.subject, [], "", words, "is")
        return
    holder_of = [
        word for word in clause.subject if not grammar.has("renewed", word.low)
    ]
    yield clause.fact(holder_of, [], "", words, FILLED, one=True)


def _fills_role(clause: Predication, words: list[Token]) -> bool:
    """Tell whether the one thing of its kind is said to be *words*.

    "The on-call person is Tomek", "the launch is Friday". Where every noun begins with a capital
    letter, one word alone may be a trade; "Frau Weber" is none.
    """
    subject, grammar = clause.subject, clause.grammar
    definite = grammar.has("definite", subject[0].low)
    if grammar.v2:
        if not is_full_name(words, grammar) or is_pronoun(subject, grammar):
            return False
        return definite or (
            len(subject) == 1 and grammar.has("titles", words[0].low)
        )
    if (
        not definite
        or not is_capital(words[0])
        or grammar.has("many", clause.verbs.word)
    ):
        return False
    return all(
        is_common(word, grammar)
        for word in _before_preposition(subject, grammar)[1:]
    )


def _before_preposition(words: list[Token], grammar: Grammar) -> list[Token]:
    """Return the words up to the first preposition behind the second word."""
    for at, word in enumerate(words):
        if at > 1 and grammar.has("prepositions", word.low):
            return words[:at]
    return words
