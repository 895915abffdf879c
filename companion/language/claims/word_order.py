"""Verb-second languages, put into the order subject, verbs, rest.

So one splitter reads both kinds of languages.
"""

import re
from itertools import pairwise
from typing import NamedTuple

from companion.language.claims.grammar import Grammar
from companion.language.sentences import Token, Words

_PARTICIPLE = re.compile(
    r"\w{0,4}ge\w{3,}t|(?:be|ent|er|ver|zer)\w{3,}t|\w+iert"
)
_WITH_QUALITY = 3  # words of "gegen Nüsse allergisch"
_NO_QUALITIES = ("prepositions", "adverbs", "negations", "auxiliaries")
# nominatives that may be objects, too
_ALSO_OBJECTS = frozenset(("sie", "es", "ihr"))


class _Cut(NamedTuple):
    """Words cut out of a clause, and the others."""

    words: Words
    rest: Words


def put_subject_first(
    tokens: Words, grammar: Grammar
) -> tuple[Words, int | None]:
    """Return the words of a clause with the subject first, and where the finite verb then stands.

    The verbs stand together behind the subject. "Seit März arbeite ich bei Acme" has its subject
    behind the verb; "wurde von Anna gegründet" its participle at the end. Where no finite verb is
    found, the place is None.
    """
    tokens = [word for word in tokens if not grammar.has("reflexive", word.low)]
    tokens = _with_auxiliary(tokens, grammar)
    at = _find_finite(tokens, grammar)
    if at is None or grammar.has("breaks", tokens[0].low):
        return tokens, None
    if _drops_speaker_before(tokens[:at], grammar):
        return tokens, None
    verb = tokens[at]
    after = _up_to_next_clause(tokens[at + 1 :], grammar)
    clause = _cut_subject(tokens[:at], verb, after, grammar)
    subject = clause.words
    if not subject:
        return tokens, None
    if _asks_for_no_more(clause.rest, verb, grammar):
        return tokens, None
    denial = _cut_denial(clause.rest, grammar)
    closing = _cut_closing_verb(denial.rest, verb, grammar)
    verb, rest = _join_particle(verb, closing.rest, grammar)
    rest = _put_quality_first(rest, verb, grammar)
    ordered = [*subject, *denial.words, verb, *closing.words, *rest]
    return ordered, len(subject)


def _with_auxiliary(tokens: Words, grammar: Grammar) -> Words:
    """Return a note that leaves out "wurde" with it: "Budget Lindenhof auf 52.000 erhöht"."""
    end = _find_comma(tokens)
    at = 0
    while at < end and _is_nominal(tokens, at, grammar):
        at += 1
    if not 0 < at < end - 1 or not grammar.has("prepositions", tokens[at].low):
        return tokens
    if grammar.has("accusatives", tokens[0].low):
        return tokens  # "Den Hänger an Toni verliehen"
    if not _ends_in_done(tokens[at:end], grammar):
        return tokens
    was = Token("wurde", "wurde", tokens[at].start, tokens[at].start)
    return [*tokens[:at], was, *tokens[at:]]


def _find_comma(tokens: Words) -> int:
    """Return where the first comma stands; without one, where *tokens* end."""
    for at, word in enumerate(tokens):
        if word.low == ",":
            return at
    return len(tokens)


def _ends_in_done(words: Words, grammar: Grammar) -> bool:
    """Tell whether the only verb of *words* is a last one that says what was done to a thing: "auf
    52.000 erhöht".
    """
    *before, last = words
    if last.text != last.low:
        return False
    done = grammar.lemma(last.low) or ""
    if done == last.low or not _is_done_to_things(done, grammar):
        return False
    return not any(_is_verb_before(word, grammar) for word in before)


def _is_done_to_things(lemma: str, grammar: Grammar) -> bool:
    kinds = ("levels", "handing_on", "giving_back")
    return grammar.has_any(kinds, lemma) or lemma in grammar.changes


def _is_verb_before(word: Token, grammar: Grammar) -> bool:
    if word.text != word.low:
        return False
    return grammar.auxiliary(word.low) or grammar.lemma(word.low) is not None


def _drops_speaker_before(before: Words, grammar: Grammar) -> bool:
    """Tell whether what stands before the verb is itself a clause that leaves out who does it:
    "Leiter von Tom ausgeliehen, muss zurück".
    """
    for word, following in pairwise(before):
        if following.low == "," and word.text == word.low:
            return grammar.participle(word.low)
    return False


def _up_to_next_clause(after: Words, grammar: Grammar) -> Words:
    """Return *after*, the words behind the verb, up to a comma behind which another main clause
    stands, or what is not so: "ist von 2024, sicher bin ich nicht", "heißt Weiß, nicht Weis".
    """
    for at, word in enumerate(after):
        if word.low != ",":
            continue
        rest = after[at + 1 :]
        if _has_finite(rest, grammar) or _is_ruled_out(rest, grammar):
            return after[:at]
    return after


def _is_ruled_out(rest: Words, grammar: Grammar) -> bool:
    """Tell whether *rest*, behind a comma, only says what is not so: "nicht Frau Weis"."""
    return len(rest) > 1 and grammar.has("negations", rest[0].low)


def _has_finite(words: Words, grammar: Grammar) -> bool:
    """Tell whether *words* have a verb that is surely neither participle nor infinitive."""
    for at, word in enumerate(words):
        if word.low == ",":
            return False
        if word.text != word.low or not grammar.finite(words, at):
            continue
        if grammar.auxiliary(word.low):
            return True
        if not word.low.endswith("en") and not _PARTICIPLE.fullmatch(word.low):
            return True
    return False


def _cut_subject(
    before: Words, verb: Token, after: Words, grammar: Grammar
) -> _Cut:
    """Cut the subject out of the words *before* and *after* the finite *verb*."""
    start = 0
    if not before or _opens_with_preposition(before, grammar):
        while start < len(after) and grammar.has("adverbs", after[start].low):
            start += 1  # "In Goslar wohnt jetzt meine Schwester"
    length = _subject_behind(before, verb, after[start:], grammar)
    if not length:
        return _Cut(before, after)
    end = start + length
    if _ends_in_predicate(after[start:], length, verb, grammar):
        end -= 1
    elif length > 1 and _goes_on_in_genitive(after[end:], grammar):
        end -= 1  # "hört Renate | Ende des Jahres auf"
    rest = [*after[:start], *after[end:]]
    subject = after[start:end]
    if _is_object(before, verb, grammar):
        return _with_object(before, subject, rest, grammar)
    return _Cut(subject, _put_back(before, subject, rest, grammar))


def _is_object(before: Words, verb: Token, grammar: Grammar) -> bool:
    """Tell whether the words *before* the verb, which are no subject, are what it is done to."""
    if not before or _opens_with_preposition(before, grammar):
        return False
    if grammar.has("copulas", verb.low) or _are_adverbs(before, grammar):
        return False
    return all(_is_nominal(before, at, grammar) for at in range(len(before)))


def _with_object(
    thing: Words, subject: Words, rest: Words, grammar: Grammar
) -> _Cut:
    """Return *subject*, and *rest* with the *thing* that stood first: "den Hänger haben wir Toni
    gegeben" is "wir haben Toni den Hänger gegeben".

    No subject where nobody knows to whom a thing without an article goes.
    """
    at = 0
    while at < len(rest) and _is_nominal(rest, at, grammar):
        at += 1
    first, *others = thing
    if not grammar.has("determiners", first.low):
        is_denied = any(grammar.has("negations", one.low) for one in rest[:1])
        if at or (is_denied and grammar.has("determiners", rest[0].low)):
            return _Cut([], rest)  # "Kaffee trinke ich keinen"
        return _Cut(subject, [*thing, *rest])
    first = first._replace(text=first.low)
    return _Cut(subject, [*rest[:at], first, *others, *rest[at:]])


def _put_back(
    before: Words, subject: Words, rest: Words, grammar: Grammar
) -> Words:
    """Return *rest* with what stood *before* the verb and still says something: where, or on which
    days of the week.
    """
    if _opens_with_preposition(before, grammar):
        return [*rest, *before]
    if not _is_one_thing(subject, grammar):
        return rest
    days = [word for word in before if _is_each_week(word, grammar)]
    return [*days, *rest]


def _is_one_thing(subject: Words, grammar: Grammar) -> bool:
    """Tell whether *subject* is surely one: "Anna Yoga" may be two."""
    kinds = ("determiners", "titles")
    first = subject[0].low.rstrip(".")
    return len(subject) == 1 or grammar.has_any(kinds, first)


def _ends_in_predicate(
    words: Words, length: int, verb: Token, grammar: Grammar
) -> bool:
    """Tell whether the last of *length* nouns says what the subject is or has.

    "ist Anna Ärztin", "hat Emil Fieber".
    """
    if length < 2 or length < len(words):
        return False
    has = grammar.has("having", grammar.lemma(verb.low) or "")
    if not has and not grammar.has("copulas", verb.low):
        return False
    first = words[length - 2]
    kinds = ("determiners", "titles")
    return not grammar.has_any(kinds, first.low.rstrip("."))


def _goes_on_in_genitive(rest: Words, grammar: Grammar) -> bool:
    return bool(rest) and grammar.has("of_later", rest[0].low)


def _find_finite(tokens: Words, grammar: Grammar) -> int | None:
    for at in range(len(tokens)):
        if grammar.finite(tokens, at):
            return at
    return None


def _opens_with_preposition(words: Words, grammar: Grammar) -> bool:
    return bool(words) and grammar.has("prepositions", words[0].low)


def _subject_behind(
    before: Words, verb: Token, after: Words, grammar: Grammar
) -> int:
    """Return how many words behind the *verb* are the subject; 0 where it stands before."""
    named_before = bool(before) and not _opens_with_preposition(before, grammar)
    if after and after[0].low == "es" and _is_impersonal(verb, grammar):
        return 1  # "Gläser gibt es bei Haas"
    if after and grammar.has("nominatives", after[0].low):
        is_named = named_before and not _are_adverbs(before, grammar)
        if is_named and after[0].low in _ALSO_OBJECTS:
            return 0
        return 1
    length = 0
    while length < len(after) and _is_nominal(after, length, grammar):
        length += 1
    if not named_before or _are_adverbs(before, grammar):
        return length
    return length * _is_done_to(before, after, length, grammar)


def _is_done_to(
    before: Words, after: Words, length: int, grammar: Grammar
) -> bool:
    """Tell whether the thing *before* the verb is handed on by whom *length* words behind it name:
    "die Bohrmaschine hat Tom zurückgebracht", "den Hänger hat Toni".
    """
    name = after[:length]
    if not name or any(word.text == word.low for word in name):
        return False
    if grammar.has("accusatives", before[0].low):
        return True
    if not grammar.has("definite", before[0].low):
        return False
    last = after[-1]
    kinds = ("handing_on", "fetching", "giving_back")
    return grammar.has_any(kinds, grammar.lemma(last.low) or "")


def _is_impersonal(verb: Token, grammar: Grammar) -> bool:
    return grammar.has("impersonal", grammar.lemma(verb.low) or "")


def _are_adverbs(words: Words, grammar: Grammar) -> bool:
    return all(
        grammar.has("adverbs", word.low) or _is_each_week(word, grammar)
        for word in words
    )


def _is_each_week(word: Token, grammar: Grammar) -> bool:
    """Tell whether *word* is a day of every week: "montags"."""
    return word.low.endswith("s") and grammar.has("weekdays", word.low)


def _cut_denial(rest: Words, grammar: Grammar) -> _Cut:
    """Cut "nicht" and "nicht mehr" out of the middle of the clause."""
    for at, word in enumerate(rest):
        if not grammar.has("negations", word.low):
            continue
        if grammar.has("determiners", word.low):
            continue
        end = at + 1
        if end < len(rest) and rest[end].low == "mehr":
            end += 1
        return _Cut(rest[at:end], rest[:at] + rest[end:])
    return _Cut([], rest)


def _asks_for_no_more(rest: Words, verb: Token, grammar: Grammar) -> bool:
    """Tell whether nobody knows if a thing is denied, or more of it: "wir brauchen nicht mehr
    Klemmen".
    """
    if not grammar.has("amounting", grammar.lemma(verb.low) or ""):
        return False
    for at in range(len(rest) - 2):
        denial, more, thing = rest[at : at + 3]
        if grammar.has("negations", denial.low) and more.low == "mehr":
            is_denial = grammar.has("determiners", denial.low)
            return not is_denial and thing.text != thing.low
    return False


def _is_nominal(words: Words, at: int, grammar: Grammar) -> bool:
    """Tell whether the word at *at* goes on with the noun phrase that *words* begin with."""
    word = words[at]
    if grammar.has_any(("prepositions", "adverbs", "negations"), word.low):
        return False
    if at and grammar.has_any(("articles", "possessives"), word.low):
        return False  # "ist Dr. Weiß unser Hausarzt"
    return word.text != word.low or grammar.has("determiners", word.low)


def _cut_closing_verb(rest: Words, finite: Token, grammar: Grammar) -> _Cut:
    """Cut the participle or infinitive off the end of the clause.

    "gegründet", "ziehen", "gegründet worden".
    """
    if not grammar.auxiliary(finite.low):
        return _Cut([], rest)
    ends = [len(rest)]
    # "ist ins Heim gezogen, Zimmer 14": what follows the bracket is an addition
    ends += [at for at in range(len(rest)) if _goes_on(rest, at, grammar)]
    for end in ends:
        while end and _stands_behind_verb(rest[end - 1].low, grammar):
            end -= 1
        if end and _is_closing_verb(rest[end - 1], grammar):
            return _Cut([rest[end - 1]], rest[: end - 1])
    return _Cut([], rest)


def _join_particle(
    verb: Token, rest: Words, grammar: Grammar
) -> tuple[Token, Words]:
    """Return a verb with the particle that ends its clause, if both are one known verb.

    "Fängt … an" is of "anfangen".
    """
    ends = [at for at, word in enumerate(rest) if word.low == ","]
    for end in (*ends[:1], len(rest)):
        for last in rest[max(end - 1, 0) : end]:
            low = last.low + verb.low
            if last.low not in grammar.forms.separable:
                continue
            if grammar.lemma(low) in grammar.forms.lemmas:
                whole = verb._replace(text=low, low=low)
                return whole, [word for word in rest if word is not last]
    return verb, rest


def _goes_on(rest: Words, at: int, grammar: Grammar) -> bool:
    """Tell whether another clause, or an addition, begins at *at*: "… gezogen und macht …"."""
    if rest[at].low == ",":
        return True
    if not grammar.has("conjunctions", rest[at].low) or at + 1 == len(rest):
        return False
    return grammar.finite(rest, at + 1)


def _is_closing_verb(word: Token, grammar: Grammar) -> bool:
    return word.text == word.low and grammar.lemma(word.low) is not None


def _put_quality_first(rest: Words, verb: Token, grammar: Grammar) -> Words:
    """Return the words behind a copula with the adjective that ends them first: "ist gegen Nüsse
    allergisch" is "ist allergisch gegen Nüsse".
    """
    if len(rest) < _WITH_QUALITY or not grammar.has("copulas", verb.low):
        return rest
    last = rest[-1]
    if not _opens_with_preposition(rest, grammar) or last.text != last.low:
        return rest
    if not last.low.isalpha() or grammar.has_any(_NO_QUALITIES, last.low):
        return rest
    return [last, *rest[:-1]]


def _stands_behind_verb(low: str, grammar: Grammar) -> bool:
    return low in (",", "!", "zu") or grammar.has("auxiliaries", low)
