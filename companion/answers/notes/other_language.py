"""Find later notes in another language that tell a change of a value like the answer's.

"Ab Mai kostet die Miete 1.910 Euro" shares no word with "Rent is 1,840 euro a month". What compares
across languages are values: amounts of one unit, and dates with a month. A note that tells a change
of what was never told before in its own words changes something that was told in others. Where it
has another value of the answer's kind, and names nobody whom the answer does not name, the answer
may be so no longer. Days of the week and hours are too few: any two matters share their kind.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping

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

_CAPITAL = lazy(r"(?<=[^\s.!?:] )[^\W\d_a-z]\w+")  # a capital within a sentence
_CAPITALISING = ("de",)  # languages in which every noun has a capital
_HOUR = "clock"
_DATE = "date"  # of this kind any other one may be the new one
# so many times as much, or as little, is no new amount of one thing
_FACTOR = 1.5
_TWO = 2  # numbers, one of either note

Values = Mapping[str, frozenset[str]]  # by what is measured


def read_values(text: str, language: str) -> Values:
    """Return the amounts and dates in *text*, alike in all languages."""
    # word lists: only an answer with later notes needs them
    from companion.language.lexicon import unit_symbols
    from companion.language.relations.statement import read_statement

    measured = {unit.kind for unit in unit_symbols().values()}
    read = read_statement(text, language).values
    kinds = read.keys() & {_DATE, *measured} - {_HOUR}
    return {kind: read[kind] for kind in kinds}


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
        is_new = claim.assertion.stated and bool(theirs.keys() - {_DATE})
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
    from companion.language.lexicon import lexicon_of

    days = read_language_data(language, "time")["weekdays"]
    times = days.keys() | lexicon_of(language).months.keys()
    named = {word.lower() for word in _CAPITAL.findall(text)}
    return not named <= known | times


def _has_other_value(mine: Values, theirs: Values) -> bool:
    """Tell whether *theirs* has another value of a kind of *mine*, and none that is the same."""
    kinds = mine.keys() & theirs.keys()
    if any(mine[kind] & theirs[kind] for kind in kinds):
        return False
    return any(
        kind == _DATE or _is_near(mine[kind], theirs[kind]) for kind in kinds
    )


def _is_near(mine: Iterable[str], theirs: Iterable[str]) -> bool:
    """Tell whether the only number of *mine* may have become that of *theirs*."""
    numbers = sorted(abs(float(one)) for one in (*mine, *theirs))
    if len(numbers) > _TWO:
        return False
    low, high = numbers
    return high <= _FACTOR * low


def _list_words(values: Values, language: str) -> Iterator[str]:
    """Yield the words with which *language* writes values of the kinds of *values*."""
    from companion.language.lexicon import lexicon_of, unit_symbols

    lexicon = lexicon_of(language)
    if _DATE in values:
        yield from lexicon.months
    for units in (lexicon.units, unit_symbols()):
        for word, unit in units.items():
            if unit.kind in values and word.isalpha():
                yield word.lower()
