"""With whom a thing is: "lent Tom the ladder", "Tom has our ladder", "Tom brought it back".

Each of these tells of the thing, and not of who did it, so that the next one takes the place of
the last.
"""

from collections.abc import Iterator

from companion.language.claims.complements import is_capital, strip_value
from companion.language.claims.facts.gifts import split_gift
from companion.language.claims.grammar import Grammar
from companion.language.claims.predication import Fact, Predication, is_pronoun
from companion.language.claims.roles import split_at_of
from companion.language.sentences import Token, Words

_LONGEST_THING = 4  # words: "our big old ladder"
_LONGEST_HELD = (
    3  # "the spare key"; what is longer is no thing that one has about one
)
_BACK = ("back", "zurück")
_TO = ("to", "an", "zu")
# with whom, where the speaker has it: "is with me"
_SPEAKERS = {"i": "me", "we": "us", "ich": "mir", "wir": "uns"}


def holding_facts(clause: Predication) -> Iterator[Fact]:
    """Yield with whom a thing is, or is no longer, after what *clause* says."""
    grammar = clause.grammar
    if clause.verbs.negated or not clause.complements:
        return
    if clause.verbs.passive:
        if grammar.has("handing_on", clause.verbs.lemma):
            yield from _was_handed_on(clause)
    elif grammar.has("having", clause.verbs.lemma):
        yield from _held(clause)
    elif grammar.has("fetching", clause.verbs.lemma):
        yield from _fetched(clause)
    elif grammar.has("handing_on", clause.verbs.lemma):
        yield from _handed_on(clause)


def _held(clause: Predication) -> Iterator[Fact]:
    """Yield with whom a thing is that somebody has: "Tom has our ladder"."""
    thing, *others = clause.complements
    holder = clause.subject
    if others or thing.preposition or _had(clause):
        return
    if not _is_somebody(holder, clause.grammar):
        return
    words = strip_value(thing.words, clause.grammar)
    first = words[0].low if words else ""
    # "Tom has the flu": only what is somebody's, or came back, is surely a thing
    if not (clause.grammar.has("possessives", first) or _is_back(words)):
        return
    words = _without_back(words)
    if len(words) <= _LONGEST_HELD and _is_known(words, clause):
        yield _with(clause, words, holder)


def _fetched(clause: Predication) -> Iterator[Fact]:
    """Yield with whom a thing is that somebody fetched, or took back: "got the drill back"."""
    thing, *others = clause.complements
    if thing.preposition or not _is_fetched(thing.words, clause):
        return
    words = _without_back(thing.words)
    cut = split_at_of(words, clause.grammar)
    if cut is not None and clause.grammar.v2:
        words = words[:cut]  # "die Leiter von Toni"
    holder = clause.subject
    for one in others:
        if one.preposition in _TO:
            holder = one.words
    if _is_known(words, clause) and _is_somebody(holder, clause.grammar):
        yield _with(clause, words, holder)


def _is_fetched(thing: Words, clause: Predication) -> bool:
    """Tell whether one may fetch *thing*: "the drill back", "unsere Leiter"; "took the train" is a
    way, and "hat die Kinder geholt" one of people.
    """
    grammar = clause.grammar
    if _is_back(thing):
        return not grammar.other_word("vehicles", thing[-2].low)
    if clause.verbs.lemma.startswith(_BACK):
        return True
    return grammar.v2 and grammar.has("possessives", thing[0].low)


def _had(clause: Predication) -> bool:
    """Tell whether it is over: German "hat" makes a past only before a participle."""
    if clause.grammar.v2:
        return clause.verbs.word.startswith("hatt")
    return clause.verbs.past


def _handed_on(clause: Predication) -> Iterator[Fact]:
    first, *others = clause.complements
    gift = split_gift(clause, first)
    if gift is not None:
        known = _is_known(gift.words, clause)
        if known and _is_somebody(gift.to, clause.grammar):
            yield _with(clause, _without_back(gift.words), gift.to)
        return
    if first.preposition or not _is_known(first.words, clause):
        return
    for one in others:
        if one.preposition in _TO and _is_somebody(one.words, clause.grammar):
            yield _with(clause, _without_back(first.words), one.words)
            return
    if not others:
        yield from _given_back(clause, first.words)


def _was_handed_on(clause: Predication) -> Iterator[Fact]:
    """Yield with whom a thing is that was handed on: "Kabeltrommel an Huber verliehen"."""
    for one in clause.complements:
        if one.preposition in _TO and _is_somebody(one.words, clause.grammar):
            yield _with(clause, clause.subject, one.words)
            return


def _given_back(clause: Predication, thing: Words) -> Iterator[Fact]:
    """Yield that *thing* is no longer with who gave it back."""
    if not _gives_back(clause, thing):
        return
    if _is_somebody(clause.subject, clause.grammar):
        gone = _with(clause, _without_back(thing), clause.subject)
        yield gone._replace(verbs=gone.verbs._replace(negated=True))


def _with(clause: Predication, thing: Words, holder: Words) -> Fact:
    """Return that *thing* is with its *holder*."""
    copula, preposition = "is", "with"
    if clause.grammar.v2:
        copula, preposition = "ist", "bei"
    elif _is_plural(thing[-1]):
        copula = "are"
    bare = clause.with_copula(copula)
    verbs = bare.verbs._replace(past=False, perfect=False)
    subject = _bare(thing, clause.grammar)
    return bare._replace(verbs=verbs).fact(
        subject, [], preposition, _in_dative(holder), "place", one=True
    )


def _in_dative(holder: Words) -> Words:
    """Return a *holder* as they stand behind "with": "me" of "I"."""
    first, *rest = holder
    text = _SPEAKERS.get(first.low, "")
    if rest or not text:
        return holder
    # without a place of its own in the text, which has another form
    return [Token(text, text, first.start, first.start)]


def _bare(thing: Words, grammar: Grammar) -> Words:
    """Return *thing* without whose it is, as it begins a sentence: "Ladder"."""
    first, *rest = thing
    if rest and grammar.has("determiners", first.low):
        first, *rest = rest
    text = first.text[:1].upper() + first.text[1:]
    # without a place of its own in the text, which has another form
    return [Token(text, first.low, first.start, first.start), *rest]


def _is_somebody(words: Words, grammar: Grammar) -> bool:
    """Tell whether *words* name a person: by a name, as "my brother", as a speaker."""
    first = words[0].low
    if grammar.has("possessives", first):
        return len(words) > 1
    if grammar.has_any(("me", "us"), first):
        return len(words) == 1
    if is_pronoun(words, grammar) or grammar.has("pronouns", first):
        return False
    if grammar.has("articles", first):
        return False
    return all(map(is_capital, words))


def _is_known(thing: Words, clause: Predication) -> bool:
    """Tell whether *thing* is one that the reader knows: "the ladder", "my copy of Dune"."""
    grammar = clause.grammar
    first, *rest = _without_back(thing)
    if len(rest) > _LONGEST_THING:
        return False
    if not grammar.has_any(("definite", "possessives"), first.low) or not rest:
        return False
    if grammar.has("not_held", rest[-1].low):
        return False
    return not any(word.low.endswith("est") for word in rest)


def _is_plural(noun: Token) -> bool:
    return noun.low.endswith("s") and not noun.low.endswith("ss")


def _gives_back(clause: Predication, thing: Words) -> bool:
    """Tell whether a thing is given back to whom it belongs: "brought the drill back"."""
    lemma = clause.verbs.lemma
    if clause.grammar.has("giving_back", lemma):
        return True
    return len(thing) > 1 and clause.grammar.has("back", thing[-1].low)


def _is_back(thing: Words) -> bool:
    return len(thing) > 1 and thing[-1].low in _BACK


def _without_back(thing: Words) -> Words:
    """Return "the drill" of "the drill back"."""
    if _is_back(thing):
        return thing[:-1]
    return thing
