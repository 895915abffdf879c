"""Complements: the noun phrases after the verbs of a clause, split at prepositions."""

import re
from collections.abc import Callable
from typing import NamedTuple

from companion.language.claims.grammar import Grammar
from companion.language.detect import read_language_data
from companion.language.sentences import Token, Words

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
MAX_WORDS = 20  # longer subjects and objects are no names of things
_QUOTES = ('"', "\u201c", "\u201d", "\u201e")
_BEHIND_VALUE = frozenset((",", "and", "!", "too", *_QUOTES))
_BEFORE_VALUE = frozenset((",", *_QUOTES))
_COMPARING = ("mehr", "anders", "eher", "lieber")
_STOPS = frozenset((";", "(", ")", "\u2014", "\u2013", "-", ":", "!", "?"))


class Complement(NamedTuple):
    """One noun phrase after the verbs, with the preposition before it."""

    preposition: str  # "," for an apposition
    words: Words
    opening: tuple[Token, ...] = ()  # the preposition as it stands


def read_complements(
    tokens: Words, at: int, grammar: Grammar
) -> tuple[list[Complement], int]:
    """Return the complements from *at* on, and where the clause stops."""
    complements, opening, words, at = _part(tokens, at, grammar)
    if words:
        complements.append(_complement(opening, words))
        name = _apposition(tokens, at, words[-1], grammar)
        if name:
            complements.append(Complement(",", name))
            at += len(name) + 1
    complements = _with_hours_and_rates(complements, grammar)
    return [one for one in complements if _says_something(one, grammar)], at


def _part(
    tokens: Words, at: int, grammar: Grammar
) -> tuple[list[Complement], Words, Words, int]:
    """Return the complements that end, what opens the last one and its words, and where the clause
    stops.
    """
    complements: list[Complement] = []
    opening: Words = []
    words: Words = []
    while at < len(tokens) and not _stops(tokens, at, words, grammar):
        token = tokens[at]
        if _is_filler_before(token, words, grammar):
            words = []  # "wird jetzt von Anna geleitet"
        if opening and _is_pronoun_alone(words, grammar):
            # "heißt bei uns jetzt Frieda": nothing goes on with "uns"
            complements.append(_complement(opening, words))
            opening = []
            words = []
        if at + 1 == len(tokens) and _is_day(token, words, grammar):
            complements.append(_complement(opening, words))
            opening = []
            words = [token]
        elif not _opens(tokens, at, words, grammar):
            words.append(token)
        elif words:
            complements.append(_complement(opening, words))
            opening = [token]
            words = []
        else:
            opening = [*opening, token]
        at += 1
    return complements, opening, words, at


def _is_day(word: Token, words: Words, grammar: Grammar) -> bool:
    """Tell whether *word* says on which days, behind a German noun: "die Treppe samstags"."""
    if not grammar.v2 or not words or not is_capital(words[-1]):
        return False
    is_adverb = word.text == word.low and word.low.endswith("s")
    return is_adverb and grammar.has("weekdays", word.low)


def _is_pronoun_alone(words: Words, grammar: Grammar) -> bool:
    """Tell whether *words* are "us", "him" and the like, and no "our"."""
    if len(words) != 1 or grammar.has("possessives", words[0].low):
        return False
    return grammar.has_any(("me", "us", "pronouns"), words[0].low)


def join_places(
    complements: list[Complement], grammar: Grammar
) -> list[Complement]:
    """Return *complements* with what says more exactly where a thing is put to its place.

    "In 1Password under stg-db" is one place, "in der Kiste im Schuppen" too.
    """
    return _join(complements, grammar, _are_one_place)


def _join(
    complements: list[Complement],
    grammar: Grammar,
    belongs: Callable[[Complement, Complement, Grammar], bool],
) -> list[Complement]:
    """Return *complements* with each put to the one before it that it *belongs* to."""
    joined: list[Complement] = []
    for one in complements:
        if joined and belongs(joined[-1], one, grammar):
            last = joined.pop()
            one = last._replace(words=[*last.words, *one.opening, *one.words])
        joined.append(one)
    return joined


def _are_one_place(last: Complement, one: Complement, grammar: Grammar) -> bool:
    if not grammar.has("within", one.preposition):
        return False
    if not grammar.has("within", last.preposition):
        return False
    firsts = (last.words[0].low, one.words[0].low)
    kinds = ("weekdays", "numerals", "me", "us", "pronouns")
    return not any(grammar.has_any(kinds, low) for low in firsts)


def next_verb(tokens: Words, at: int, grammar: Grammar) -> int | None:
    """Return where another verb of the same subject follows an "and" or a comma at *at*."""
    kinds = ("joins", "adverbs")
    verb = at
    while verb < len(tokens) and grammar.has_any(kinds, tokens[verb].low):
        verb += 1
    if verb == at or verb >= len(tokens):
        return None
    word = tokens[verb]
    if word.text != word.low:
        return None
    if grammar.auxiliary(word.low) or _is_inflected(word.low, grammar):
        return verb
    return None


def strip_value(words: Words, grammar: Grammar) -> Words:
    """Return *words* without what stands around a value: articles, adverbs, marks."""
    start = 0
    end = len(words)
    while end and _stands_behind(words[end - 1], grammar):
        end -= 1
    while start < end and _stands_before(words[start], grammar):
        start += 1
    return unquoted(words[start:end])


def _stands_behind(word: Token, grammar: Grammar) -> bool:
    return word.low in _BEHIND_VALUE or grammar.has("adverbs", word.low)


def _stands_before(word: Token, grammar: Grammar) -> bool:
    return word.low in _BEFORE_VALUE or _is_little(word, grammar)


def unquoted(words: Words) -> Words:
    """Return *words* without quotation marks, if they begin with one."""
    if not words or words[0].low not in _QUOTES:
        return words
    return [word for word in words if word.low not in _QUOTES]


def is_capital(word: Token) -> bool:
    """Tell whether *word* begins with a capital."""
    return word.text[:1].isupper()


def is_year_of_name(tokens: Words, opened: int) -> bool:
    """Tell whether a bracket holds the year of the name before it: "Blade Runner (1982)"."""
    if not opened or opened + 2 >= len(tokens):
        return False
    year, closed = tokens[opened + 1 : opened + 3]
    if not is_capital(tokens[opened - 1]) or closed.low != ")":
        return False
    return len(year.low) == 4 and year.low.isdigit()


def _is_bracket_of_year(tokens: Words, at: int) -> bool:
    """Tell whether the bracket at *at* opens or closes the year of a name."""
    if tokens[at].low == "(":
        return is_year_of_name(tokens, at)
    return tokens[at].low == ")" and at > 2 and is_year_of_name(tokens, at - 2)


def _complement(opening: Words, words: Words) -> Complement:
    return Complement(
        " ".join(word.low for word in opening), words, tuple(opening)
    )


def _with_hours_and_rates(
    complements: list[Complement], grammar: Grammar
) -> list[Complement]:
    """Return the complements with an hour put to its weekday, and a period to its amount.

    "On Tuesdays at six" is one time, "49 Euro im Monat" one amount.
    """
    return _join(complements, grammar, _goes_with)


def _goes_with(last: Complement, one: Complement, grammar: Grammar) -> bool:
    return _is_hour_of(last, one, grammar) or _is_rate_of(last, one, grammar)


def _is_rate_of(amount: Complement, one: Complement, grammar: Grammar) -> bool:
    """Tell whether *one* is the period of an *amount*: "12 Euro | pro Monat"."""
    if not any(word.low[:1].isdigit() for word in amount.words):
        return False
    if not grammar.has("rates", one.preposition):
        return False
    return grammar.has("periods", one.words[-1].low) and len(one.words) <= 2


def _is_hour_of(day: Complement, hour: Complement, grammar: Grammar) -> bool:
    if not grammar.has("clock", hour.preposition):
        return False
    first = hour.words[0].low
    is_hour = first[:1].isdigit() or first in ("one", "eins")
    is_hour = is_hour or grammar.has_any(("numerals", "weekdays"), first)
    named = day.words[0].low
    return is_hour and (
        grammar.has("weekdays", named) or _DAY.fullmatch(named) is not None
    )


def _is_filler_before(word: Token, words: Words, grammar: Grammar) -> bool:
    """Tell whether *words* are adverbs alone before a preposition, in a verb-second language."""
    if not grammar.v2 or not words:
        return False
    if not grammar.has("prepositions", word.low):
        return False
    return all(grammar.has("adverbs", one.low) for one in words)


def _is_inflected(low: str, grammar: Grammar) -> bool:
    """Tell whether *low* is a verb in a form of its own, and no infinitive or gerund."""
    if grammar.lemma(low) in (None, low) or low.endswith("ing"):
        return False
    return not (grammar.v2 and low.endswith("en"))


def _stops(tokens: Words, at: int, words: Words, grammar: Grammar) -> bool:
    """Tell whether the clause stops before the word at *at*, after the *words* of a complement."""
    low = tokens[at].low
    if words and _is_bracket_of_year(tokens, at):
        return False
    if low in _STOPS or grammar.has("replaced", low):
        return True
    is_comma = low == ","
    if not is_comma and not grammar.has("conjunctions", low):
        return grammar.has("breaks", low) and not _says_as_what(
            tokens, at, grammar
        )
    if not words or at + 1 >= len(tokens):
        return True
    if is_comma:
        return not _joins_name(tokens, at, words[-1], grammar)
    following = tokens[at + 1]
    if next_verb(tokens, at, grammar) is not None:
        return True
    if _goes_on_doing(words, following, grammar):
        return True
    return grammar.has("subjects", following.low)


def _says_as_what(tokens: Words, at: int, grammar: Grammar) -> bool:
    """Tell whether a German "als" says as what: "arbeitet als Koch", and not "als Anna ging" or
    "größer als Anna".
    """
    if not grammar.v2 or tokens[at].low != "als" or at + 1 >= len(tokens):
        return False
    before = tokens[at - 1]
    compares = before.low in _COMPARING or before.low.endswith("er")
    if compares and not is_capital(before):
        return False
    if not is_capital(tokens[at + 1]):
        return False
    places = range(at + 1, len(tokens))
    return not any(grammar.finite(tokens, place) for place in places)


def _goes_on_doing(words: Words, following: Token, grammar: Grammar) -> bool:
    """Tell whether "and" joins something done to a thing: "plays chess and learning Go"."""
    if grammar.v2 or not following.low.endswith("ing"):
        return False
    if words[0].low.endswith("ing") or is_capital(following):
        return False
    return grammar.lemma(following.low) is not None


def _joins_name(tokens: Words, at: int, last: Token, grammar: Grammar) -> bool:
    """Tell whether the comma at *at* stands within a name: "Washington, D.C." is one.

    What a verb follows begins a clause of its own: "leaves in June, Tomasz takes over".
    """
    following = tokens[at + 1]
    if not is_capital(last) or not is_capital(following):
        return False
    if grammar.has("little", following.low) or _is_month(last, grammar):
        return False
    end = at + 1
    while end < len(tokens) and is_capital(tokens[end]):
        end += 1
    if grammar.v2:
        # every noun has a capital: "im Schuppen, Feuerzeug daneben"
        return end == len(tokens) or tokens[end].low == ","
    return end == len(tokens) or not grammar.finite(tokens, end)


def _is_month(word: Token, grammar: Grammar) -> bool:
    return word.low in read_language_data(grammar.language, "time")["months"]


def _opens(tokens: Words, at: int, words: Words, grammar: Grammar) -> bool:
    """Tell whether the word at *at* begins a new complement after *words*."""
    if at + 1 >= len(tokens):
        return False
    word = tokens[at]
    following = tokens[at + 1]
    if _belongs_to_noun(word, words, following, grammar):
        return False
    if grammar.has("prepositions", word.low):
        return True
    if not words:
        return grammar.has("particles", word.low)
    if grammar.has("participial", word.low):
        return True
    return _opens_with_participle(word, words[-1], following, grammar)


def _belongs_to_noun(
    word: Token, words: Words, following: Token, grammar: Grammar
) -> bool:
    """Tell whether *word* goes on with the noun phrase: "of", "74 out of 100", "about 100"."""
    if grammar.has("of", word.low) and words:
        # "scared of spiders" is said of who is scared
        return not grammar.has("predicatives", words[-1].low)
    if words and grammar.has("particles", word.low):
        # "working on building up confidence"
        return _is_inner_verb(words[-1], grammar)
    if word.low == "out" and words and words[-1].low[-1:].isdigit():
        return True
    return word.low in ("about", "around") and following.low[:1].isdigit()


def _is_inner_verb(word: Token, grammar: Grammar) -> bool:
    if grammar.v2 or word.text != word.low:
        return False
    return word.low.endswith("ing") and grammar.lemma(word.low) is not None


def _opens_with_participle(
    word: Token, last: Token, following: Token, grammar: Grammar
) -> bool:
    """Tell whether a participle begins what is said of the noun before it.

    "A workshop focused on …".
    """
    if grammar.has_any(("determiners", "adverbs"), last.low):
        return False
    if word.text != word.low or not grammar.participle(word.low):
        return False
    if not grammar.v2 and _may_be_noun(word.low, following, grammar):
        return False
    has_object = grammar.has_any(("prepositions", "determiners"), following.low)
    return has_object or is_capital(following)


def _may_be_noun(low: str, following: Token, grammar: Grammar) -> bool:
    """Tell whether a participle may as well be a noun: "a cut on", "training into"."""
    if grammar.lemma(low) == low:
        return True
    return low.endswith("ing") and grammar.has("prepositions", following.low)


def _apposition(tokens: Words, at: int, last: Token, grammar: Grammar) -> Words:
    """Return the name behind the comma at *at*: "my contact is my sister, Karen Liu".

    Empty where there is none, or where *last*, the word before the comma, ends a name itself.
    """
    if is_capital(last) or at >= len(tokens) or tokens[at].low != ",":
        return []
    start = at + 1
    end = start
    while end < len(tokens) and _is_name_word(tokens[end], grammar):
        end += 1
    if end < len(tokens) and not _ends_name(tokens[end].low, grammar):
        return []
    return tokens[start:end]


def _is_name_word(word: Token, grammar: Grammar) -> bool:
    return is_capital(word) and not grammar.has("little", word.low)


def _ends_name(low: str, grammar: Grammar) -> bool:
    return low in (",", ";", "but") or grammar.has("conjunctions", low)


def _says_something(complement: Complement, grammar: Grammar) -> bool:
    words = complement.words
    if len(words) > MAX_WORDS:
        return False
    value = strip_value(words, grammar)
    if value and grammar.has("of", value[0].low):
        return False  # "on the first Tuesday of the month" without its day
    return any(_is_matter(word, grammar) for word in words)


def _is_matter(word: Token, grammar: Grammar) -> bool:
    first = word.low[:1]
    return first in "$€£" or (first.isalnum() and not _is_little(word, grammar))


def _is_little(word: Token, grammar: Grammar) -> bool:
    """Tell whether *word* is an article or an adverb; "The" of "The Witcher" is none."""
    article = grammar.has("articles", word.low) and word.text == word.low
    return article or grammar.has("adverbs", word.low)
