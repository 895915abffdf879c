"""The query of a search: the telling words of a question, their stems, and how rare each is.

On the hot path of a search.
"""

import math
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from companion.language.words import snowball
from companion.language.words.stop_words import STOP_WORDS, tell_language
from companion.storage.index.ranking.nearby import QUESTION
from companion.storage.index.ranking.spans import Span
from companion.storage.index.schema import read_meta
from companion.storage.index.terms import (
    MAX_TERMS,
    add_parts,
    split_phrases,
    split_words,
)
from companion.tuples import NamedTuple

Phrase = tuple[str, ...]
_MOST = 256  # words of a query that are read as a sentence
_MARKS = ("?", "\uff1f", "\u061f")  # at the end of a question


class Allowed(NamedTuple):
    """Passages that have what a query demands: their row numbers, and (path, note) of each."""

    docs: frozenset[int]
    places: frozenset[tuple[str, str]]


class Query(NamedTuple):
    """The words that a search looks for.

    *phrases* are the stems of its telling words, in each language of the wiki; *words* are all of
    its words as they stand, folded.
    """

    phrases: Sequence[Phrase]
    words: Sequence[str]
    languages: Sequence[str]
    # the words that tell something, and the stems of each
    telling: Mapping[Phrase, Sequence[Phrase]] = {}
    # the passages that may be found, where a query demands more than words
    only: "Allowed | None" = None
    # the cosine of each passage to the question by the chosen model; None: by static vectors
    near: Mapping[int, float] | None = None
    no_near: str | None = None  # why the chosen model says nothing
    asks: bool = False  # it ends with a question mark
    # the times that it names
    spans: Sequence[Span] = ()

    @property
    def says_much(self) -> bool:
        """Whether it has so many telling words that it is no list of keywords."""
        return len(self.telling) >= QUESTION

    @property
    def is_question(self) -> bool:
        """Whether it asks, or says much."""
        return (self.asks and len(self.telling) > 0) or self.says_much

    def allows(self, path: str | None, statement: str) -> bool:
        """Tell whether the passage may be found."""
        return self.only is None or (path, statement) in self.only.places


class Statistics(NamedTuple):
    """The figures of the whole collection that BM25 needs."""

    docs: int
    tokens: int
    frequency: dict[Phrase, int]


def _list_languages(db: sqlite3.Connection | None) -> list[str]:
    """Return the languages of the wiki, and English, which every one may have words of."""
    known = None if db is None else read_meta(db, "languages")
    return list(dict.fromkeys((*(known or "").split(), "en")))


def read_query(db: sqlite3.Connection | None, text: str) -> Query:
    """Return what *text* looks for.

    Little words of its language are left out, unless it has nothing else.
    """
    languages = _list_languages(db)
    phrases = split_phrases(add_parts(text))
    words = split_words(text)[:_MOST]
    language = tell_language(list(dict.fromkeys(words)))
    little = STOP_WORDS.get(language or "", frozenset())
    telling = [phrase for phrase in phrases if not little.issuperset(phrase)]
    stems_of = {
        phrase: _stem_phrase(phrase, languages) for phrase in telling or phrases
    }
    stemmed = dict.fromkeys(chain.from_iterable(stems_of.values()))
    told = stems_of if telling else {}
    asks = text.rstrip().endswith(_MARKS)
    first = list(stemmed)[:MAX_TERMS]
    return Query(first, words, languages, told, asks=asks)


def narrow_telling(query: Query, timeless: str, spans: Sequence[Span]) -> Query:
    """Return *query* with the *spans* that it names: they are no matter that notes are near to, so
    only its *timeless* words have a meaning.
    """
    meant = set(split_phrases(add_parts(timeless)))
    telling = {
        phrase: stems
        for phrase, stems in query.telling.items()
        if phrase in meant
    }
    return query._replace(telling=telling, spans=spans)


def add_words(query: Query, words: Iterable[str]) -> Query:
    """Return *query* looking for *words*, too, whose stems are of its languages."""
    phrases = dict.fromkeys(query.phrases)
    for word in words:
        phrases.update(dict.fromkeys(_stem_phrase((word,), query.languages)))
    return query._replace(phrases=list(phrases)[:MAX_TERMS])


def _stem_phrase(phrase: Phrase, languages: Iterable[str]) -> list[Phrase]:
    """Return the stems of *phrase* in each of *languages*."""
    words = list(phrase)
    return [
        tuple(snowball.stem_words(words, language)) for language in languages
    ]


def read_statistics(
    db: sqlite3.Connection | None, phrases: Sequence[Phrase]
) -> Statistics:
    """Return the index's statistics for *phrases* (a phrase counts as its rarest word)."""
    if db is None:
        return Statistics(0, 0, dict.fromkeys(phrases, 0))
    docs = int(read_meta(db, "passages") or 0)
    tokens = int(read_meta(db, "words") or 0)
    frequency = {}
    for phrase in phrases:
        frequency[phrase] = min(_count_passages(db, word) for word in phrase)
    return Statistics(docs, tokens, frequency)


def _count_passages(db: sqlite3.Connection, stem: str) -> int:
    query = "SELECT doc FROM stem_terms WHERE term = ?"
    row = db.execute(query, (stem,)).fetchone()
    return 0 if row is None else int(row[0])


def list_selective(
    phrases: Sequence[Phrase], stats: Statistics
) -> list[Phrase]:
    """Return *phrases* without the words that more than half of the passages have: BM25 gives such
    a word a millionth.
    """
    return [
        phrase
        for phrase in phrases
        if len(phrase) > 1 or 2 * stats.frequency[phrase] <= stats.docs
    ]


def weigh_words(query: Query, stats: Statistics) -> dict[str, float]:
    """Return how much each telling word of *query* says: the rarer, the more (BM25's measure)."""
    weights = {}
    for phrase, stems in query.telling.items():
        n = max(stats.frequency.get(one, 0) for one in stems)
        rarity = math.log(1 + (stats.docs - n + 0.5) / (n + 0.5))
        weights.update(dict.fromkeys(phrase, rarity))
    return weights
