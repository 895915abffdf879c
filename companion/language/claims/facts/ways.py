"""How somebody gets somewhere: "cycles to work" and "takes the bus to work" tell one matter."""

from collections.abc import Iterator

from companion.language.claims.complements import Complement, is_capital
from companion.language.claims.grammar import Grammar
from companion.language.claims.predication import Fact, Predication
from companion.language.sentences import Token, Words, joined

_LONGEST_PLACE = 3  # words


def way_facts(clause: Predication) -> Iterator[Fact]:
    """Yield by what the subject gets where *clause* says that they go."""
    if not _is_told_of_person(clause):
        return
    target = _find_target(clause)
    means = _find_means(clause)
    if target is None or not means:
        return
    words = [*target.opening, *_without_adverbs(target.words, clause.grammar)]
    place = joined(words, clause.text)
    lemma, word = "get", "gets"
    if clause.grammar.v2:
        lemma, word = "kommen", "kommt"
    verbs = clause.verbs._replace(lemma=lemma, word=word)
    clause = clause._replace(verbs=verbs)
    at = target.words[0].start
    value = [Token(one, one.lower(), at, at) for one in means.split()]
    yield clause.fact(clause.subject, [], place, value, "verb", one=True)


def _is_told_of_person(clause: Predication) -> bool:
    """Tell whether somebody who is named does it as a habit, or now."""
    verbs = clause.verbs
    if verbs.past or verbs.negated or verbs.passive or verbs.future:
        return False
    first = clause.subject[0]
    if clause.grammar.has_any(("me", "us"), first.low):
        return True
    if clause.grammar.has_any(("pronouns", "articles"), first.low):
        return False
    return all(map(is_capital, clause.subject))


def _find_target(clause: Predication) -> Complement | None:
    """Return where the way leads: "to work", "zur Schule"."""
    for one in clause.complements:
        is_short = len(one.words) <= _LONGEST_PLACE
        if is_short and clause.grammar.has("way_to", one.preposition):
            return one
    return None


def _find_means(clause: Predication) -> str:
    """Return by what one goes, as it answers "how": "by bus"; "" where it is not said."""
    grammar = clause.grammar
    lemma = clause.verbs.lemma
    means = grammar.other_word("travelling", lemma)
    # "cycles", of a verb that is guessed: "likes cycling" is a thing
    means = means or grammar.other_word("travelling", clause.verbs.word)
    for one in clause.complements:
        vehicle = _read_vehicle(one.words, grammar)
        if vehicle and _goes_by(lemma, one, grammar):
            means = vehicle
    return means.replace("_", " ")


def _goes_by(lemma: str, one: Complement, grammar: Grammar) -> bool:
    """Tell whether the verb takes the vehicle, or goes with it."""
    if not one.preposition:
        return grammar.has("boarding", lemma)
    return grammar.has("going", lemma) and grammar.has(
        "way_by", one.preposition
    )


def _read_vehicle(words: Words, grammar: Grammar) -> str:
    """Return by what one goes with the vehicle that *words* name; "" where they name none."""
    noun = _without_adverbs(words, grammar)[-1].low
    return grammar.other_word("vehicles", noun)


def _without_adverbs(words: Words, grammar: Grammar) -> Words:
    """Return "work" of "takes the bus to | work now"."""
    while len(words) > 1 and grammar.has("adverbs", words[-1].low):
        words = words[:-1]
    return words
