"""Facts of clauses with a main verb: who does what, got which role, and raised what to where."""

from collections.abc import Iterator

from companion.language.claims.complements import Complement, is_capital
from companion.language.claims.copular import owner_facts, relation_fact
from companion.language.claims.predication import (
    INSTALLED,
    LEVELLED,
    Fact,
    Predication,
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

_MAX_COMPLEMENTS = 4
# what stands before an office: "became CEO", "replaced as CEO", "promoted to", "zum Leiter"
_BEFORE_OFFICE = ("", "as", "als", "to", "zum", "zur")


def verbal_facts(clause: Predication) -> Iterator[Fact]:
    """Yield the facts of a clause with a main verb."""
    relation = named_relation(clause.subject, clause.grammar)
    if relation is not None:
        yield relation_fact(clause, relation)
        named = Role(relation.thing, [])
    else:
        named = role_of(clause.subject, clause.grammar) or Role(
            clause.subject, []
        )
    yield from owner_facts(clause)
    offices = list(_office_facts(clause))
    yield from offices
    # who was promoted has that title, too
    if offices and clause.verbs.lemma != "promote":
        return
    yield from _takeover_facts(clause)
    if not named.role:
        yield from _level_facts(clause)
    for one in clause.complements[:_MAX_COMPLEMENTS]:
        # an apposition goes with the verb as the complement before it does
        apposed = one.preposition == ","
        preposition = (
            clause.complements[0].preposition if apposed else one.preposition
        )
        yield clause.fact(
            named.thing, named.role, preposition, one.words, "verb"
        )


def _office_facts(clause: Predication) -> Iterator[Fact]:
    """Yield who holds an office now.

    "Lee became CEO of Globex", "Rosa was replaced by Lee as CEO of Globex".
    """
    grammar = clause.grammar
    if not grammar.has("installing", clause.verbs.lemma) or is_pronoun(
        clause.subject, grammar
    ):
        return
    holder = clause.subject
    for one in clause.complements:
        if clause.verbs.passive and grammar.has("agents", one.preposition):
            holder = one.words
        fact = _office_fact(clause, one, holder)
        if fact is not None:
            yield fact


def _office_fact(
    clause: Predication, office: Complement, holder: list[Token]
) -> Fact | None:
    """Return that *holder* has the office named in a complement, None where it names none."""
    grammar = clause.grammar
    introduced_by = office.preposition.rpartition(" ")[2]
    if introduced_by not in _BEFORE_OFFICE:
        return None
    cut = split_at_of(office.words, grammar)
    if cut is None:
        bare = all(is_common(word, grammar) for word in office.words)
        if not bare or introduced_by not in ("as", "als"):
            return None
        # "Ida took over as treasurer"
        return clause.with_copula().fact(
            office.words, [], "", holder, INSTALLED, one=True
        )
    thing = office.words[cut + 1 :]
    role = [
        word
        for word in office.words[:cut]
        if not grammar.has_any(("articles", "timely"), word.low)
    ]
    if not role or not all(_names_office(word, clause) for word in role):
        return None
    if starts_with_digit(thing):  # "takes blades of 2240 mm" is no office
        return None
    fact = clause.with_copula().fact(
        thing, role, "", holder, "attribute-inverse", one=True
    )
    return fact._replace(verbs=clause.verbs)


def _names_office(word: Token, clause: Predication) -> bool:
    return is_common(word, clause.grammar) and not word.low[:1].isdigit()


def _takeover_facts(clause: Predication) -> Iterator[Fact]:
    """Yield who has a thing now, and who had it: "Priya took over Aurora from Tomek"."""
    if not clause.complements or clause.verbs.passive:
        return
    first = clause.complements[0]
    grammar = clause.grammar
    verb = f"{clause.verbs.lemma}_{first.preposition}".rstrip("_")
    if not grammar.has("taking", verb) or is_pronoun(clause.subject, grammar):
        return
    if not is_capital(first.words[0]):
        return
    by = "von" if grammar.v2 else "by"
    preposition = f"{first.preposition} {by}".strip()
    yield clause.fact(
        first.words, [], preposition, clause.subject, "verb", one=True
    )
    for one in clause.complements[1:]:
        if one.preposition in ("from", "von"):
            preposition = f"{first.preposition} from".strip()
            yield clause.fact(first.words, [], preposition, one.words, "verb")


def _level_facts(clause: Predication) -> Iterator[Fact]:
    """Yield what an amount is now: "the fee went up from 9 to 11 euros" as "the fee is 11 euros"."""
    if not clause.complements or clause.verbs.negated:
        return
    grammar = clause.grammar
    level = clause.complements[-1]
    is_amount = level.words[0].low.lstrip("$€£")[:1].isdigit()
    if level.preposition not in ("to", "auf") or not is_amount:
        return
    lemma = clause.verbs.lemma
    particle = clause.complements[0].preposition.split(" ", 1)[0]
    moves = grammar.has("levels", lemma) or grammar.has(
        "levels", f"{lemma}_{particle}"
    )
    if moves and grammar.has("definite", clause.subject[0].low):
        plain = clause.with_copula("beträgt" if grammar.v2 else "is")
        yield plain.fact(
            clause.subject, [], "", level.words, LEVELLED, one=True
        )
