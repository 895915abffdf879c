"""Find the one person whom a clause speaks of, so that "she" behind it means somebody.

By where the name stands, and not by a list of names: "Met Priya for coffee", "Theo came by",
"talked to Ben". Wherever the clause may speak of another too, nobody is found; and nobody in
German, where every noun has a capital.
"""

from companion.language.claims.grammar import Grammar
from companion.language.claims.roles import names_person
from companion.language.detect import function_words, read_language_data
from companion.language.sentences import Token, Words, joined
from companion.language.word_kinds import read_word_kinds
from companion.language.words.roles import DATA, is_persons
from companion.tuples import NamedTuple

_TO = "to"  # before whom one speaks to, or hands something to
_PLACING = ("at", "in", "from")  # behind these a name says where, or whence
# beside "and", "or": another may follow
_JOINING = (",", "&", "(", "plus", "'s")
# kinds of words beside which a name is not surely of whom "she" means: "didn't", "her husband"
_UNSURE = ("negations", "conjunctions", "possessives", "persons", "offices")
# "spoke English": whom one spoke to stands behind "to" or "with"
_SPEAKING = ("speak", "talk")
# not "brought the car to Volvo", "sent it to Falke"
_HANDING = ("give", "lend", "hand")
_WATCHING = "see"  # "saw Dune": a film as well as a person
_OPENING = ("determiners", "numerals", "indefinite")  # of a noun: "the", "two"
_TELLERS = ("i", "we")
_TIMES = ("months", "weekdays", "seasons", "units", "days", "relative")
# how a plural does not end: "Jonas", "Iris", "Klaus", and not "Italians"
_SINGULAR = ("as", "is", "us")


class Spoken(NamedTuple):
    """Of whom a clause speaks."""

    name: str  # of the one who surely is a person; "" if nobody is
    # whether it may speak of another, or has a name of something else
    has_others: bool


class _Name(NamedTuple):
    """A name in the words [start, end) of a clause."""

    start: int
    end: int


def find_spoken(words: Words, text: str, grammar: Grammar) -> Spoken:
    """Return of whom the clause *words* of *text* speaks."""
    if grammar.v2:
        return Spoken("", has_others=False)
    names = _find_names(words, grammar)
    start = _skip_times(words, grammar)
    persons = [
        name for name in names if _is_person(words, name, start, grammar)
    ]
    if not persons:
        rest = words[_end_of_description(words, grammar) :]
        has_others = bool(names) or any(map(_is_somebody, rest))
        return Spoken("", has_others=has_others)
    first = persons[0]
    has_others = (
        len(names) > 1
        or _has_other(words, grammar)
        or not _is_told_by_teller(words, start, first, grammar)
    )
    return Spoken(joined(words[first.start : first.end], text), has_others)


# -- names ----------------------------------------------------------------------------------------


def _find_names(words: Words, grammar: Grammar) -> list[_Name]:
    """Return the names among *words*, without those that say where."""
    names: list[_Name] = []
    at = 0
    while at < len(words):
        end = at
        while end < len(words) and _may_be_name(words, end, grammar):
            end += 1
        if end > at and not (at and words[at - 1].low in _PLACING):
            names.append(_Name(at, end))
        at = max(end, at + 1)
    return names


def _may_be_name(words: Words, at: int, grammar: Grammar) -> bool:
    """Tell whether the word at *at* may be a part of a name: neither "Met" nor "Friday"."""
    word = words[at]
    if not word.text[:1].isupper():
        return False
    if word.low in function_words()[grammar.language]:
        return False
    if grammar.has("weekdays", word.low) or _is_of_time(word.low, grammar):
        return False
    if at:
        return True
    is_known = grammar.lemma(word.low) is not None
    return (
        not is_known
        and not _is_together(word)
        and not _is_little(word.low, grammar)
    )


def _is_person(words: Words, name: _Name, start: int, grammar: Grammar) -> bool:
    """Tell whether *name* stands where a person does, in a clause that begins at *start*."""
    if not all(map(_may_be_persons, words[name.start : name.end])):
        return False
    last = words[name.end - 1].low
    if last.endswith("s") and not last.endswith(_SINGULAR):
        return False  # "Italians"
    if name.start == start:
        return name.end < len(words) and grammar.finite(words, name.end)
    if not name.start:
        return False
    if _is_given(words, name, grammar):
        return True
    if _is_before_noun(words, name.end, grammar):
        return False
    return _is_behind_meeting(words, name.start, grammar)


def _may_be_persons(word: Token) -> bool:
    """Tell whether *word* may be of a person's name: neither "DHL" nor "B2B"."""
    is_short = len(word.text.rstrip(".")) < 2
    return word.text.rstrip(".").isalpha() and (
        is_short or not word.text.isupper()
    )


def _is_before_noun(words: Words, end: int, grammar: Grammar) -> bool:
    """Tell whether a noun may follow the name that ends before *end*: "Volvo shares"."""
    if end >= len(words) or not words[end].low[:1].isalpha():
        return False
    low = words[end].low
    return not (
        low in function_words()[grammar.language]
        or _is_little(low, grammar)
        or _is_of_time(low, grammar)
    )


def _is_given(words: Words, name: _Name, grammar: Grammar) -> bool:
    """Tell whether *name* is whom one gives something: "gave Tom the keys"."""
    lemma = grammar.lemma(words[name.start - 1].low)
    if lemma is None or not grammar.has("giving", lemma):
        return False
    return any(
        grammar.has_any(("determiners", "numerals"), word.low)
        for word in words[name.end : name.end + 1]
    )


def _is_behind_meeting(words: Words, at: int, grammar: Grammar) -> bool:
    """Tell whether the word at *at* is whom one met, was with, spoke to or handed something to."""
    before = words[at - 1]
    earlier = words[: at - 1]
    lemmas = {grammar.lemma(word.low) or "" for word in earlier}
    if before.low == _TO:
        is_handed = not lemmas.isdisjoint(_SPEAKING + _HANDING)
        return is_handed and not _goes(lemmas, grammar)
    if _is_with(before, grammar):
        return _is_joint(earlier, grammar) and not _goes(lemmas, grammar)
    if any(grammar.has("passives", word.low) for word in earlier):
        return False  # "I'm called Leo"
    is_spoken = grammar.lemma(before.low) in _SPEAKING
    return _is_meeting(before, grammar) and not is_spoken


def _goes(lemmas: set[str], grammar: Grammar) -> bool:
    return any(grammar.has_any(("moving", "going"), one) for one in lemmas)


def _is_joint(words: Words, grammar: Grammar) -> bool:
    """Tell whether *words*, before "with", say what one does with another."""
    return any(
        _is_together(word) or _is_meeting(word, grammar) for word in words
    )


# -- others ---------------------------------------------------------------------------------------


def _has_other(words: Words, grammar: Grammar) -> bool:
    """Tell whether *words* may speak of somebody without a name, or deny what they say."""
    for word in words:
        if word.low in _JOINING or grammar.has_any(_UNSURE, word.low):
            return True
    return any(map(_is_somebody, words)) or _has_unnamed(words, grammar)


def _is_somebody(word: Token) -> bool:
    """Tell whether *word* says who somebody is: "sister", "landlord", "baby"."""
    kinds = read_word_kinds(DATA)
    if word.low in kinds["relatives"] or word.low in kinds["somebody"]:
        return True
    return is_persons(word.low) or names_person(word)


def _end_of_description(words: Words, grammar: Grammar) -> int:
    """Return where "she is a nurse" ends, of nobody else, if *words* begin so; 0 if not."""
    if len(words) < 3 or not grammar.has("persons", words[0].low):
        return 0
    is_copula = grammar.has("copulas", words[1].low)
    if not is_copula and words[1].low != "'s":
        return 0
    if not grammar.has("determiners", words[2].low):
        return 0  # "she is with her brother"
    for at in range(3, len(words)):
        if _is_somebody(words[at]):
            return at + 1
    return 0


def _has_unnamed(words: Words, grammar: Grammar) -> bool:
    """Tell whether a noun stands where a person does: "met a climber", "with two others"."""
    for at, word in enumerate(words[:-1]):
        is_place = (
            word.low == _TO
            or _is_with(word, grammar)
            or _is_meeting(word, grammar)
        )
        if is_place and grammar.has_any(_OPENING, words[at + 1].low):
            return True
    return False


def _is_told_by_teller(
    words: Words, start: int, name: _Name, grammar: Grammar
) -> bool:
    """Tell whether the subject of *words*, from *start* on, is the teller, left out or *name*."""
    if name.start == start:
        return True
    verbs = [at for at in range(start, len(words)) if grammar.finite(words, at)]
    subject = words[start : verbs[0]] if verbs else []
    if verbs:
        return not subject or [word.low in _TELLERS for word in subject] == [
            True
        ]
    return _is_together(words[start]) or grammar.past(words[start])


# -- words ----------------------------------------------------------------------------------------


def _skip_times(words: Words, grammar: Grammar) -> int:
    """Return where *words* begin behind what says when: "Yesterday", "On Monday", "Finally"."""
    at = 0
    while at < len(words) - 1 and (
        _is_of_time(words[at].low, grammar)
        or grammar.has_any(("adverbs", "weekdays"), words[at].low)
        or (words[at].low == "on" and at == 0)
    ):
        at += 1
    return at


def _is_of_time(low: str, grammar: Grammar) -> bool:
    """Tell whether *low* says when: "yesterday", "March", "last", "week"."""
    data = read_language_data(grammar.language, "time")
    return any(low in data[kind] for kind in _TIMES)


def _is_little(low: str, grammar: Grammar) -> bool:
    return grammar.has("little", low)


def _is_with(word: Token, grammar: Grammar) -> bool:
    is_company = word.low in read_word_kinds(DATA)["company"]
    return is_company and grammar.has("prepositions", word.low)


def _is_together(word: Token) -> bool:
    """Tell whether *word* says what one does with another: "lunch", "visited"."""
    return word.low in read_word_kinds(DATA)["together"]


def _is_meeting(word: Token, grammar: Grammar) -> bool:
    """Tell whether *word* says that one has somebody before one: not "saw", of films as well."""
    if word.low not in read_word_kinds(DATA)["meeting"]:
        return False
    return grammar.lemma(word.low) not in (None, _WATCHING)
