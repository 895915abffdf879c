"""Keys: what two statements on one matter share, and two on different matters never do."""

from companion.language.claims.clauses import FILLED, INSTALLED, LEVELLED, Fact
from companion.language.claims.grammar import Grammar
from companion.values.claims import normal

FIRST, FIRST_PLURAL = "I", "we"  # how a claim names the first person, in every language
ME, US = "me", "us"


def subject_key(
    said: str, grammar: Grammar | None = None, aliases: dict[str, str] | None = None
) -> str:
    """Return *said* normalised: letter case, articles, quotation marks and spaces do not make
    another thing.
    """
    low = normal(said)
    if said in (FIRST, FIRST_PLURAL):
        return ME if said == FIRST else US
    if grammar is not None:
        if grammar.has("me", low):
            return ME
        if grammar.has("us", low):
            return US
        first, _, rest = low.partition(" ")
        if rest and grammar.has("articles", first):
            low = rest
    known = aliases or {}
    name, _, bracket = low.partition(" (")
    if bracket and known.get(bracket.rstrip(")")) == name:
        return name
    return known.get(low, low)


def predicate_key(matter: str, grammar: Grammar | None = None, *, person: bool = False) -> str:
    """Return the predicate *matter* normalised, and said as all its synonyms are; some only hold of
    a *person*.
    """
    low = normal(matter)
    if grammar is None:
        return low
    words = [
        word
        for word in low.split()
        if not grammar.has("articles", word) and not grammar.has("timely", word)
    ]
    low = " ".join(words) or low
    other: str | None = grammar.same_person.get(low) if person else None
    return other or grammar.same.get(low, low)


def is_person(subject: str, key: str) -> bool:
    """Tell whether *subject* is surely a person: the first one, or a name of several words without
    an article.
    """
    return key == ME or (
        len(subject.split()) > 1
        and all(word[:1].isupper() for word in subject.split())
        and not key.startswith("the ")
    )


def _amounts(fact: Fact, key: str, grammar: Grammar) -> bool:
    """Tell whether a thing is said to be at a number, or to have got to one: it is at one number at
    a time.

    "Is 2 m long" leaves it as wide as it is, and what was "bought for 10 €" is bought again.
    """
    words = fact.object.split()
    if not words or not _digits(words[0]):
        return False
    if grammar.has("measures", words[-1].lower()):
        return False
    if fact.group.lemma in grammar.changes:
        return True
    return not fact.group.past and (key == "is" or key not in grammar.plural)


def _digits(word: str) -> bool:
    return word.lstrip("$€£~≈").removeprefix("CHF")[:1].isdigit()


def succeeds(fact: Fact, key: str, clause: str, grammar: Grammar) -> bool:
    """Tell whether a stated change leaves one value: where a thing is now it was not before, and
    when it is now.

    Whom a sentence names may be in two choirs: of names only whom or what they are *at* or *with*
    gives way.
    """
    said = clause.lower().split()
    if any(grammar.has("additive", word.strip(",.")) for word in said):
        return False
    place, first = fact.predicate.rpartition(" ")[2], fact.object.lower().split(" ", 1)[0]
    amount = _digits(first) or grammar.has("numerals", first)
    if grammar.has("weekdays", first) or grammar.has("equals", fact.predicate):
        return True
    if amount and (grammar.has("clock", place) or key not in grammar.plural):
        return True  # "at nine since June", "lasts three weeks now"
    if (
        fact.rule == "is"
        and not grammar.v2
        and _is_thing(fact.subject, grammar)
        and fact.object[:1].isupper()
    ):
        return True  # "as of May the bees in hive 4 are Carniolan"
    placed = fact.rule == "place" or grammar.has("placed", fact.group.lemma)
    if key in grammar.plural or not placed or not grammar.has("prepositions", place):
        return False
    return _is_thing(fact.subject, grammar) or grammar.has("held", place)


def _is_thing(subject: str, grammar: Grammar) -> bool:
    """Tell whether *subject* is no name: "the key", "our van", "rehearsal" in the middle of a
    sentence, "we".
    """
    first = subject.split(" ", 1)[0].lower()
    kinds = ("articles", "possessives", "us")
    return subject[:1].islower() or any(grammar.has(kind, first) for kind in kinds)


def single(fact: Fact, key: str, grammar: Grammar) -> bool:
    """Tell whether the matter has one value at a time (LED-1's functional flag)."""
    if fact.rule in (FILLED, INSTALLED, LEVELLED) or _amounts(fact, key, grammar):
        return True
    said = normal(fact.matter)
    if key in grammar.plural or said in grammar.plural:
        return False
    return fact.functional or key in grammar.functional or said in grammar.functional
