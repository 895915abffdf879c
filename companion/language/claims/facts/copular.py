"""Facts of clauses with a copula: "X is Y", "the R of X is Y", "Y is the R of X", "X is in Y"."""

from collections.abc import Iterator

from companion.language.claims.certainty import (
    certain_complements,
    is_verbal,
    names_value,
)
from companion.language.claims.complements import (
    Complement,
    is_capital,
    join_places,
)
from companion.language.claims.facts.measures import measure_facts
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
    Relation,
    Role,
    is_common,
    named_relation,
    names_measure,
    names_person,
    role_of,
    split_at_of,
    without_genitive,
)
from companion.language.sentences import Token, Words
from companion.language.words.roles import is_persons

_MAX_PLACES = 2
_KNOWN = ("articles", "possessives")  # what stands before a thing that is known
# kinds of prepositions that say where a thing, or with whom, stays
_STAYING = ("within", "held")
# "a band formed in Y": a longer noun phrase is a description
_MAX_KIND_WORDS = 4
_MAX_KIND_COMPLEMENTS = 4


def copular_facts(clause: Predication) -> Iterator[Fact]:
    """Yield the facts of a clause whose only verb is a copula."""
    grammar = clause.grammar
    relation = named_relation(clause.subject, grammar)
    if relation is not None:
        yield relation_fact(clause, relation)
        clause = clause._replace(subject=relation.name)
    clause = clause._replace(complements=_values(clause))
    if not clause.complements:
        return
    clause = _with_back_as_place(clause)
    attribute = role_of(clause.subject, grammar) or _genitive_role(clause)
    attribute = attribute or _bare_measure_role(clause)
    measures = measure_facts(clause, attribute)
    if measures:
        yield from measures
    elif attribute is not None:
        yield from _attribute_facts(clause, attribute)
    elif clause.complements[0].preposition:
        yield from _place_facts(clause)
    else:
        yield from _description_facts(clause)


def _bare_measure_role(clause: Predication) -> Role | None:
    """Return the role of a measure without an article: "deadline for the offer is 3 May".

    Its value has digits, for "Power of attorney is with Ines" is told of no attorney; and its thing
    has an article or an owner before it, for "Age of Empires" is a name.
    """
    grammar, subject = clause.grammar, clause.subject
    if len(subject) < 3 or not names_measure(subject[0], grammar):
        return None
    value = clause.complements[0].words
    if not any(map(str.isdigit, "".join(one.text for one in value))):
        return None
    if not grammar.has_any(_KNOWN, subject[2].low):
        return None
    # a role is read behind an article, and English begins it small
    article = subject[0]._replace(low=min(grammar.words["articles"]))
    if not grammar.v2:
        subject = [subject[0]._replace(text=subject[0].low), *subject[1:]]
    return role_of([article, *subject], grammar)


def _values(clause: Predication) -> list[Complement]:
    """Return the complements up to the first one that is a clause of its own."""
    values: list[Complement] = []
    complements = clause.complements
    if len(complements) > 1 and is_pronoun(
        complements[0].words, clause.grammar
    ):
        complements = complements[1:]  # "heißt bei uns Frieda"
    for one in complements:
        if not names_value(one.words, clause.grammar):
            break
        values.append(one)
    return values


def _place_facts(clause: Predication) -> Iterator[Fact]:
    grammar = clause.grammar
    places = certain_complements(clause.complements, grammar)
    for place in join_places(places, grammar)[:_MAX_PLACES]:
        preposition = _without_back(place.preposition, grammar)
        yield clause.fact(clause.subject, [], preposition, place.words, "place")


def _without_back(preposition: str, grammar: Grammar) -> str:
    """Return "at" of "back at": what is back there is there."""
    back, _, place = preposition.partition(" ")
    if grammar.has("back", back) and grammar.has_any(_STAYING, place):
        return place
    return preposition


def _with_back_as_place(clause: Predication) -> Predication:
    """Return a German "ist zurück beim Verein" as "ist beim Verein"."""
    grammar = clause.grammar
    first, *others = clause.complements
    if first.preposition or len(first.words) > 1 or not others:
        return clause
    if not grammar.has("back", first.words[0].low):
        return clause
    if not grammar.has_any(_STAYING, others[0].preposition):
        return clause
    return clause._replace(complements=others)


def relation_fact(clause: Predication, relation: Relation) -> Fact:
    """Return who somebody is to whom: "my sister Karen" is Karen."""
    plain = clause.with_copula()
    plain = plain._replace(verbs=plain.verbs._replace(negated=False))
    return plain.fact(
        relation.owner, relation.role, "", relation.name, "relation"
    )


def owner_facts(clause: Predication) -> Iterator[Fact]:
    """Yield who is what for somebody: "Ada is my manager", "Ada became our doctor"."""
    grammar = clause.grammar
    lemma = clause.verbs.lemma
    if lemma and not grammar.has("becoming", lemma):
        return
    if not clause.complements or clause.complements[0].preposition:
        return
    owner, *role = clause.complements[0].words
    if not role or not grammar.has("possessives", owner.low):
        return
    if is_pronoun(clause.subject, grammar):
        return
    if not all(is_common(word, grammar) for word in role):
        return
    plain = clause.with_copula()
    fact = plain.fact([owner], role, "", clause.subject, "attribute-inverse")
    yield fact._replace(verbs=clause.verbs)


def _genitive_role(clause: Predication) -> Role | None:
    """Return the role before its noun, if the value is a name: "Annas Zahnarzt ist Frau Weber"."""
    words = clause.subject
    if not clause.grammar.v2 or len(words) != 2:
        return None
    if not all(map(is_capital, words)):
        return None
    owner, role = words
    value = clause.complements[0]
    if not owner.low.endswith(("s", "'")) or value.preposition:
        return None
    if not is_full_name(value.words, clause.grammar):
        return None
    if owner.low == value.words[0].low:
        return None
    return Role([without_genitive(owner)], [role])


def _attribute_facts(clause: Predication, attribute: Role) -> Iterator[Fact]:
    if _describes_person(clause, attribute.role):
        yield from _facts_of_person(clause, attribute)
        return
    thing, role = attribute
    plural_verb = clause.grammar.has("many", clause.verbs.word)
    many = plural_verb and _is_plural(role[-1])
    first = clause.complements[0]
    name = _first_apposition(clause.complements)
    if name is not None and not many:
        # "my contact is my sister, Karen Liu": one person, by the name
        yield clause.fact(thing, role, "", name, "attribute", one=True)
        return
    words = [*first.words, *_continuation(clause.complements)]
    yield clause.fact(
        thing, role, first.preposition, words, "attribute", one=not many
    )
    if name is not None:
        yield clause.fact(thing, role, "", name, "attribute")


def _describes_person(clause: Predication, role: Words) -> bool:
    """Tell whether the value says how somebody is, and not who: "our son is allergic to nuts".

    The "music that Anna plays" is nobody.
    """
    last = role[-1]
    if len(role) > 1 and clause.grammar.lemma(last.low) not in (None, last.low):
        return False
    first = clause.complements[0]
    if first.preposition or clause.grammar.has(
        "determiners", first.words[0].low
    ):
        return False
    for word in first.words:
        if not (word.text.isdigit() or _is_plain(word)):
            return False
    return names_person(last)


def _is_plain(word: Token) -> bool:
    return word.text.isalpha() and word.text.islower()


def _facts_of_person(clause: Predication, person: Role) -> Iterator[Fact]:
    """Yield what is said of somebody who is named by a role: of "our son", "allergic to" nuts."""
    words = clause.complements[0].words
    cut = split_at_of(words, clause.grammar)
    if cut is not None:
        said = [*person.role, *words[:cut]]
        yield clause.fact(
            person.thing, said, words[cut].low, words[cut + 1 :], "kind-with"
        )
        return
    for one in clause.complements[1:]:
        if one.preposition != ",":
            said = [*person.role, *words]
            yield clause.fact(
                person.thing, said, one.preposition, one.words, "kind-with"
            )


def _first_apposition(complements: list[Complement]) -> Words | None:
    for complement in complements[1:]:
        if complement.preposition == ",":
            return complement.words
    return None


def _is_plural(noun: Token) -> bool:
    return noun.low.endswith("s") and not noun.low.endswith("ss")


def _continuation(complements: list[Complement]) -> Words:
    """Return the words with which a value that is no name goes on to the end of its clause.

    "An MSc in Linguistics", "the 4th floor at the back".
    """
    last = complements[0].words[-1]
    if last.text.istitle() and len(last.text) > 1:
        return []
    words: Words = []
    for one in complements[1:]:
        if one.preposition != ",":
            words += [*one.opening, *one.words]
    return words


def _description_facts(clause: Predication) -> Iterator[Fact]:
    """Yield the facts of "Y is the R of X", "X is a citizen of Y", "X is famous for Y"."""
    yield from owner_facts(clause)
    words = clause.complements[0].words
    role_facts = list(_role_facts(clause, words))
    if role_facts:
        yield from role_facts
        return
    if _names_kind(words, clause.grammar):
        yield from _kind_facts(clause, words)
    yield from _identity_facts(clause, words)


def _names_kind(words: Words, grammar: Grammar) -> bool:
    """Tell whether *words* say what kind of thing something is: "a band", "famous"."""
    if len(words) > _MAX_KIND_WORDS or starts_with_digit(words):
        return False
    if any(grammar.has("weekdays", word.low) for word in words):
        return False  # "every first Thursday"
    return is_common(words[-1], grammar)


def _role_facts(clause: Predication, words: Words) -> Iterator[Fact]:
    """Yield the facts of "Y is the R of X" and "X is a citizen of Y"."""
    grammar = clause.grammar
    cut = split_at_of(words, grammar)
    if cut is None:
        return
    role = words[:cut]
    thing = words[cut + 1 :]
    article = role[0].low
    has_article = grammar.has("articles", article)
    if not (has_article or grammar.v2) or not is_common(role[-1], grammar):
        return
    if has_article:
        role = role[1:]
    definite = not has_article or grammar.has("definite", article)
    if definite and not is_pronoun(clause.subject, grammar):
        yield clause.fact(
            thing, role, "", clause.subject, "attribute-inverse", one=True
        )
    yield clause.fact(clause.subject, role, words[cut].low, thing, "kind-of")


def _kind_facts(clause: Predication, words: Words) -> Iterator[Fact]:
    """Yield the facts of "is responsible for X", "is a band formed in Y by Z"."""
    grammar = clause.grammar
    kinds = ("articles", "adverbs")
    role = [word for word in words if not grammar.has_any(kinds, word.low)]
    for one in clause.complements[1:_MAX_KIND_COMPLEMENTS]:
        if one.preposition == ",":
            continue
        preposition = one.preposition
        if len(one.opening) > 1 and grammar.participle(one.opening[0].low):
            verb, *rest = one.opening
            role = [verb._replace(low=grammar.lemma(verb.low) or verb.low)]
            preposition = " ".join(word.low for word in rest)
        yield clause.fact(
            clause.subject, role, preposition, one.words, "kind-with"
        )
        if is_verbal(one, grammar):
            break  # "determined to reach the top before June"


def _identity_facts(clause: Predication, words: Words) -> Iterator[Fact]:
    """Yield that the subject is *words*: a name, a number, a day, or the whole that is said."""
    grammar = clause.grammar
    if len(clause.complements) > 1 and not _names_one(words, grammar):
        return
    if starts_with_digit(words) or grammar.has("definite", words[0].low):
        # "500 requests per minute", "the largest port in Europe"
        words = [*words, *_continuation(clause.complements)]
    subject = clause.subject
    if not _fills_role(clause, words):
        yield clause.fact(subject, [], "", words, "is")
        return
    role = [word for word in subject if not grammar.has("renewed", word.low)]
    yield clause.fact(role, [], "", words, FILLED, one=True)


def _names_one(words: Words, grammar: Grammar) -> bool:
    """Tell whether *words* name a thing, a number or a day."""
    first = words[0]
    if starts_with_digit(words) or first.text != first.low:
        return True
    return grammar.has_any(("articles", "weekdays"), first.low)


def _fills_role(clause: Predication, words: Words) -> bool:
    """Tell whether the one thing of its kind is said to be *words*.

    "The on-call person is Tomek", "the launch is Friday". Where every noun begins with a capital
    letter, one word alone may be a trade; "Frau Weber" is none.
    """
    grammar = clause.grammar
    if grammar.v2:
        return _fills_role_by_name(clause.subject, words, grammar)
    article, *role = _before_preposition(clause.subject, grammar)
    if not role or not _opens_role(article, role[-1], grammar):
        return False
    is_new = not is_capital(words[0])
    if not _is_somebody(words, grammar) or (
        is_new and not is_persons(role[-1].low)
    ):
        return False
    if grammar.has("many", clause.verbs.word):
        return False
    return all(is_common(word, grammar) for word in role)


def _opens_role(first: Token, role: Token, grammar: Grammar) -> bool:
    """Tell whether *first* stands before the one who has a *role*: "the", or "new" before what
    somebody is.
    """
    if grammar.has("definite", first.low):
        return True
    return grammar.has("renewed", first.low) and is_persons(role.low)


def _is_somebody(words: Words, grammar: Grammar) -> bool:
    """Tell whether *words* are a name, or one that is not known yet: "a Mrs. Brandauer"."""
    if not grammar.has("articles", words[0].low):
        return is_capital(words[0])
    title, *name = words[1:] or words
    is_titled = grammar.has("titles", title.low.rstrip("."))
    return is_titled and bool(name) and is_capital(name[0])


def _fills_role_by_name(subject: Words, words: Words, grammar: Grammar) -> bool:
    if not is_full_name(words, grammar) or is_pronoun(subject, grammar):
        return False
    if _opens_role(subject[0], subject[-1], grammar):
        return True
    return len(subject) == 1 and grammar.has("titles", words[0].low)


def _before_preposition(words: Words, grammar: Grammar) -> Words:
    """Return the words up to the first preposition behind the second word."""
    for at, word in enumerate(words):
        if at > 1 and grammar.has("prepositions", word.low):
            return words[:at]
    return words
