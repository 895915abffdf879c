"""Facts of clauses with a main verb: who does what, got which role, and raised what to where."""

from collections.abc import Iterator

from companion.language.claims.certainty import (
    certain_complements,
    names_value,
)
from companion.language.claims.complements import (
    Complement,
    is_capital,
    join_places,
)
from companion.language.claims.facts.copular import owner_facts, relation_fact
from companion.language.claims.facts.gifts import (
    Gift,
    names_known_receiver,
    split_gift,
)
from companion.language.claims.facts.handovers import holding_facts
from companion.language.claims.facts.labels import part_name
from companion.language.claims.facts.measures import having_facts
from companion.language.claims.facts.ways import way_facts
from companion.language.claims.facts.work import work_facts
from companion.language.claims.grammar import Grammar
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
from companion.language.sentences import Token, Words, joined

_MAX_COMPLEMENTS = 4
# what stands before what a thing is changed to
_TOWARDS = ("to", "auf")
# what stands before an office: "became CEO", "replaced as CEO", "promoted to", "zum Leiter"
_BEFORE_OFFICE = ("", "as", "als", "to", "zum", "zur")


def verbal_facts(clause: Predication) -> Iterator[Fact]:
    """Yield the facts of a clause with a main verb."""
    moved = _said_of_object(clause)
    if moved is not None:
        yield from _facts_of_thing(moved, _named(moved))
        clause = clause._replace(complements=clause.complements[:1])
    relation = named_relation(clause.subject, clause.grammar)
    if relation is not None:
        yield relation_fact(clause, relation)
        named = Role(relation.name, [])
    else:
        named = _named(clause)
    yield from owner_facts(clause)
    held = list(holding_facts(clause))
    # "Tom has our ladder" says no more than with whom it is
    if held and clause.grammar.has("having", clause.verbs.lemma):
        yield from held
        return
    work = list(work_facts(clause))
    if work:
        yield from work
        return
    offices = list(_office_facts(clause))
    yield from offices
    # who was promoted has that title, too
    if offices and clause.verbs.lemma != "promote":
        return
    yield from _takeover_facts(clause)
    yield from _facts_of_thing(clause, named)
    yield from held


def _said_of_object(clause: Predication) -> Predication | None:
    """Return what a change "to" something says of the thing that is changed.

    "Anna moved the launch to May" moves the launch, and Anna stays.
    """
    grammar = clause.grammar
    if clause.verbs.passive or clause.verbs.lemma not in grammar.changes:
        return None
    if not clause.complements or clause.complements[0].preposition:
        return None
    thing, *others = clause.complements
    if not any(one.preposition in _TOWARDS for one in others):
        return None
    if not _is_one_thing(thing.words, grammar):
        return None
    subject = _begin_sentence(_in_nominative(thing.words, grammar))
    return clause._replace(subject=subject, complements=others)


def _in_nominative(words: Words, grammar: Grammar) -> Words:
    """Return a German object as a subject: "den Termin" as "der Termin"."""
    first = words[0]
    if not grammar.v2 or len(words) < 2 or not first.low.endswith("en"):
        return words
    text = "der" if first.low == "den" else first.text.removesuffix("en")
    # without a place of its own in the text, which has another form
    changed = Token(text, text.lower(), first.start, first.start)
    return [changed, *words[1:]]


def _begin_sentence(words: Words) -> Words:
    """Return *words* as they begin a sentence of their own: "The starter" moved to the cellar."""
    first, *rest = words
    text = first.text[:1].upper() + first.text[1:]
    # without a place of its own in the text, which has another form
    return [Token(text, first.low, first.start, first.start), *rest]


def _named(clause: Predication) -> Role:
    """Return what the subject names: a role of a thing, or the thing itself."""
    return role_of(clause.subject, clause.grammar) or Role(clause.subject, [])


def _facts_of_thing(clause: Predication, named: Role) -> Iterator[Fact]:
    if not named.role:
        yield from _level_facts(clause)
    yield from _complement_facts(clause, named)


def _complement_facts(clause: Predication, named: Role) -> Iterator[Fact]:
    """Yield one fact for each of the first complements."""
    measures = list(having_facts(clause))
    if measures:
        yield from measures
        return
    yield from way_facts(clause)
    led = _leader_fact(clause)
    if led is not None:
        yield led
        clause = clause._replace(complements=clause.complements[1:])
    certain = certain_complements(clause.complements, clause.grammar)
    if _says_where_thing_is(clause, certain):
        certain = join_places(certain, clause.grammar)
    for one in certain[:_MAX_COMPLEMENTS]:
        if not _names_object(clause, one):
            break
        gift = split_gift(clause, one)
        if gift is not None:
            yield from _gift_facts(clause, named, gift)
            continue
        preposition = one.preposition
        if _is_received(clause, one):
            received = clause._replace(verbs=clause.verbs.as_received())
            yield _with_or_without(received, named, preposition, one.words)
            continue
        if preposition == ",":
            # an apposition goes with the verb as the complement before it does
            preposition = clause.complements[0].preposition
        yield _with_or_without(clause, named, preposition, one.words)


def _says_where_thing_is(
    clause: Predication, complements: list[Complement]
) -> bool:
    """Tell whether a clause says where a thing stands or lies, and not where somebody lives."""
    grammar = clause.grammar
    lemma = clause.verbs.lemma
    if not complements or not grammar.has("placed", lemma):
        return False
    matter = f"{lemma} {complements[0].preposition}"
    return matter not in grammar.same_person.values()


def _is_received(clause: Predication, one: Complement) -> bool:
    """Tell whether the subject gets a thing: in "Anna was offered the job" she offers nothing."""
    return (
        clause.verbs.passive and not one.preposition and not clause.grammar.v2
    )


def _names_object(clause: Predication, one: Complement) -> bool:
    """Tell whether a complement is a thing; what one hopes or assumes is a clause."""
    grammar = clause.grammar
    if not one.preposition and grammar.has("assuming", clause.verbs.lemma):
        return False
    return names_value(one.words, grammar)


def _with_or_without(
    clause: Predication, named: Role, preposition: str, words: Words
) -> Fact:
    """Return what a complement says; "walks without a stick" denies "walks with a stick"."""
    grammar = clause.grammar
    used = grammar.other_word("lacking", preposition)
    if used:
        clause = clause.with_denial()
    if used or preposition in grammar.stands_for["lacking"].values():
        words = _without_one(words)
    return clause.fact(
        named.thing, named.role, used or preposition, words, "verb"
    )


def _without_one(words: Words) -> Words:
    """Return "stick" of "with one stick": it is walked with a stick."""
    if len(words) == 2 and words[0].low == "one":
        return words[1:]
    return words


def _gift_facts(clause: Predication, named: Role, gift: Gift) -> Iterator[Fact]:
    """Yield what is given, with whom it is given to in the predicate: "owes Jürgen | 50 euros"."""
    if not names_known_receiver(gift, clause.grammar):
        return
    to = joined(gift.to, clause.text)
    yield clause.fact(named.thing, named.role, to, gift.words, "verb")


def _office_facts(clause: Predication) -> Iterator[Fact]:
    """Yield who holds an office now.

    "Lee became CEO of Globex", "Rosa was replaced by Lee as CEO of Globex".
    """
    grammar = clause.grammar
    if not grammar.has("installing", clause.verbs.lemma):
        return
    if is_pronoun(clause.subject, grammar):
        return
    holder = clause.subject
    for one in clause.complements:
        if clause.verbs.passive and grammar.has("agents", one.preposition):
            holder = one.words
        fact = _office_fact(clause, one, holder)
        if fact is not None:
            yield fact


def _office_fact(
    clause: Predication, office: Complement, holder: Words
) -> Fact | None:
    """Return that *holder* has the office named in a complement, None where it names none."""
    introduced_by = office.preposition.rpartition(" ")[2]
    if introduced_by not in _BEFORE_OFFICE:
        return None
    cut = split_at_of(office.words, clause.grammar)
    if cut is not None:
        role = office.words[:cut]
        thing = office.words[cut + 1 :]
        return _office_of_thing(clause, role, thing, holder)
    if introduced_by not in ("as", "als"):
        return None
    if not all(is_common(word, clause.grammar) for word in office.words):
        return None
    # "Ida took over as treasurer"
    return clause.with_copula().fact(
        office.words, [], "", holder, INSTALLED, one=True
    )


def _office_of_thing(
    clause: Predication,
    office: Words,
    thing: Words,
    holder: Words,
) -> Fact | None:
    """Return that *holder* has the *office* in a *thing*: "CEO of Globex"."""
    kinds = ("articles", "timely")
    has_any = clause.grammar.has_any
    role = [word for word in office if not has_any(kinds, word.low)]
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
    grammar = clause.grammar
    first, *others = clause.complements
    particle = first.preposition
    verb = f"{clause.verbs.lemma}_{particle}".rstrip("_")
    if not grammar.has("taking", verb) or is_pronoun(clause.subject, grammar):
        return
    thing = first.words
    if not is_capital(thing[0]):
        return
    by = "by"
    if grammar.v2:
        by = "von"
    taken_by = f"{particle} {by}".strip()
    yield clause.fact(thing, [], taken_by, clause.subject, "verb", one=True)
    taken_from = f"{particle} from".strip()
    for one in others:
        if one.preposition in ("from", "von"):
            yield clause.fact(thing, [], taken_from, one.words, "verb")


def _leader_fact(clause: Predication) -> Fact | None:
    """Return who leads a thing, as "the choir is led by Anna" tells it; None for another clause.

    So the one who leads it next is another value of one matter.
    """
    grammar = clause.grammar
    office = grammar.other_word("leading", clause.verbs.lemma)
    if not office or clause.verbs.passive or not clause.complements:
        return None
    thing = clause.complements[0]
    if thing.preposition or not _is_one_thing(thing.words, grammar):
        return None
    holder = clause.subject
    if not all(map(is_capital, holder)) or is_pronoun(holder, grammar):
        return None
    role = holder[0]._replace(text=office, low=office.lower())
    led = clause.with_copula().fact(
        thing.words, [role], "", holder, "attribute-inverse", one=True
    )
    return led._replace(verbs=clause.verbs)


def _is_one_thing(words: Words, grammar: Grammar) -> bool:
    """Tell whether *words* are one known thing: "the choir", "Atlas", and not "the walks"."""
    if is_capital(words[0]) and not grammar.v2:
        return True
    last = words[-1].low
    if not grammar.v2 and last.endswith("s") and not last.endswith("ss"):
        return False
    if len(words) == 1:
        return is_capital(words[0])
    return grammar.has_any(("definite", "possessives"), words[0].low)


def _level_facts(clause: Predication) -> Iterator[Fact]:
    """Yield what an amount is now: "the fee went up from 9 to 11 euros"."""
    level = _find_level(clause)
    if level is None:
        return
    grammar = clause.grammar
    is_thing = grammar.has("definite", clause.subject[0].low)
    if not (is_thing or _is_bare_thing(clause)) or not _moves_level(clause):
        return
    copula = "is"
    if grammar.v2:
        copula = "beträgt"
    plain = clause.with_copula(copula)
    thing, role = Role(clause.subject, [])
    if not is_thing:
        thing, role = part_name(clause.subject, grammar)
    if role:
        plain = clause.with_copula()  # "Budget Lindenhof" as a label has it
    yield plain.fact(thing, role, "", level.words, LEVELLED, one=True)


def _find_level(clause: Predication) -> Complement | None:
    """Return the amount that the clause ends in: "to 11 euros"; None where it ends in none, or
    denies it.
    """
    if not clause.complements or clause.verbs.negated:
        return None
    level = clause.complements[-1]
    if level.preposition not in _TOWARDS:
        return None
    is_amount = level.words[0].low.lstrip("$€£")[:1].isdigit()
    return level if is_amount else None


def _is_bare_thing(clause: Predication) -> bool:
    """Tell whether the subject is surely a thing without its article: "Band account code", "Budget
    for the EP", "Budget Lindenhof"; "Anna Weber" is none.
    """
    first, *rest = clause.subject
    if not rest or is_pronoun([first], clause.grammar):
        return False
    if clause.grammar.v2:
        return clause.verbs.passive
    if any(clause.grammar.has("prepositions", word.low) for word in rest):
        return True
    last = rest[-1]
    return last.text == last.low and last.low.isalpha()


def _moves_level(clause: Predication) -> bool:
    """Tell whether the verb, with or without its particle, raises or lowers: "went up"."""
    lemma = clause.verbs.lemma
    particle = clause.complements[0].preposition.split(" ", 1)[0]
    verbs = (lemma, f"{lemma}_{particle}")
    return any(clause.grammar.has("levels", verb) for verb in verbs)
