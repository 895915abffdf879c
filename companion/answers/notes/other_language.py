"""Find later notes in another language that tell a change of a value like the answer's.

"Ab Mai kostet die Miete 1.910 Euro" shares no word with "Rent is 1,840 euro a month". What compares
across languages are values: amounts of one unit, days, dates and hours. A note that tells a change
of what was never told before in its own words changes something that was told in others. Where it
has another value of the answer's kind, and names nobody whom the answer does not name, the answer
may be so no longer.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from companion.answers.notes.overtaking import tells_change
from companion.answers.notes.read_asked import Asked
from companion.language.detect import language_of, read_language_data
from companion.language.words.question_words import read_question_data
from companion.ledger.claims_of_key import list_claims_on_matter
from companion.patterns import lazy
from companion.storage.index.search.matches import write_any
from companion.storage.index.tables.claims import (
    RecordedClaim,
    list_claims_of_capture,
)
from companion.storage.index.terms import split_words

_CAPITAL = lazy(r"(?<=[^\s.!?:] )[^\W\d_a-z]\w+")  # a capital within a sentence
_CAPITALISING = ("de",)  # languages in which every noun has a capital
_WEEKDAY = "weekday"
# kinds of values of which any other one may be the new one
_TIMES = frozenset((_WEEKDAY, "clock", "date"))
# so many times as much, or as little, is no new amount of one thing
_FACTOR = 1.5
_TWO = 2  # numbers, one of either note

Values = Mapping[str, frozenset[str]]  # by what is measured


def read_values(text: str, language: str) -> Values:
    """Return the amounts, days, dates and hours in *text*, alike in all languages."""
    # word lists: only an answer with later notes needs them
    from companion.language.lexicon import unit_symbols
    from companion.language.relations.statement import read_statement

    units = {unit.kind for unit in unit_symbols().values()}
    read = read_statement(text, language).values
    values = dict(read)
    for kind in read.keys() - _TIMES - units:
        del values[kind]
    days = _list_weekdays(language)
    named = {days[word] for word in split_words(text.lower()) if word in days}
    if named:
        values[_WEEKDAY] = frozenset(named)
    return values


def write_search(values: Values, own: str) -> str:
    """Return how FTS5 is asked for notes with such *values* in other languages than *own*; "" where
    *values* has nothing that compares.
    """
    words: set[str] = set()
    for language in read_question_data():
        if language != own:
            words.update(_list_words(values, language))
    return write_any(list(zip(sorted(words), strict=True)), prefix=True)


def changes_value(
    db: sqlite3.Connection, capture: str, text: str, asked: Asked, own: str
) -> bool:
    """Tell whether the note *text*, the *capture*, tells in another language than *own* a change
    of a matter of which only it tells, to another value of the answer's kind.
    """
    language = language_of(text)
    if language in (None, own) or language not in read_question_data():
        return False
    if _names_others(text, language, asked):
        return False
    mine = read_values(asked.value, own)
    changes = tells_change(text, language)
    for claim in list_claims_of_capture(db, capture):
        theirs = read_values(claim.object, language)
        # "from May on": until then it was another amount
        is_new = claim.assertion.stated and bool(theirs.keys() - _TIMES)
        if not (changes or is_new) or not _has_other_value(mine, theirs):
            continue
        if _is_told_once(db, claim):
            return True
    return False


def _is_told_once(db: sqlite3.Connection, claim: RecordedClaim) -> bool:
    """Tell whether only the note of *claim* tells of its matter."""
    on_matter = list_claims_on_matter(db, claim.assertion.key)
    return all(one.capture == claim.capture for one in on_matter)


def _names_others(text: str, language: str, asked: Asked) -> bool:
    """Tell whether *text* names somebody whom the answer does not name; where any noun may have a
    capital, nothing tells.
    """
    if language in _CAPITALISING:
        return False
    known = asked.asked | asked.answered | asked.named
    days = _list_weekdays(language)
    named = {word.lower() for word in _CAPITAL.findall(text)}
    return not named <= known | days.keys()


def _has_other_value(mine: Values, theirs: Values) -> bool:
    """Tell whether *theirs* has another value of a kind of *mine*, and none that is the same."""
    kinds = mine.keys() & theirs.keys()
    if any(mine[kind] & theirs[kind] for kind in kinds):
        return False
    return any(
        kind in _TIMES or _is_near(mine[kind], theirs[kind]) for kind in kinds
    )


def _is_near(mine: Iterable[str], theirs: Iterable[str]) -> bool:
    """Tell whether the only number of *mine* may have become that of *theirs*."""
    numbers = sorted(abs(float(one)) for one in (*mine, *theirs))
    if len(numbers) > _TWO:
        return False
    low, high = numbers
    return high <= _FACTOR * low


@lru_cache(maxsize=8)
def _list_weekdays(language: str) -> Mapping[str, str]:
    """Return the number of each day of the week by its names: of "donnerstags" as of "thursday"."""
    days = read_language_data(language, "time")["weekdays"]
    numbers = {}
    for name, number in days.items():
        numbers[name] = numbers[f"{name}s"] = str(number)
    return numbers


def _list_words(values: Values, language: str) -> Iterator[str]:
    """Yield the words with which *language* writes values of the kinds of *values*."""
    from companion.language.lexicon import lexicon_of, unit_symbols

    lexicon = lexicon_of(language)
    if _WEEKDAY in values:
        yield from read_language_data(language, "time")["weekdays"]
    if "date" in values:
        yield from lexicon.months
    for units in (lexicon.units, unit_symbols()):
        for word, unit in units.items():
            kind, _, _ = unit.kind.partition("-")
            if kind in values and word.isalpha():
                yield word.lower()
