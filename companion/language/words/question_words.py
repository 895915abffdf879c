"""Read the words of questions: which stand for one concept, and which say nothing.

What claims are read by (concepts, kinds) is that of all languages together, so that a question
finds notes in another one; which words say nothing is that of the question's own.
"""

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache

from companion.language.detect import (
    FOLDER,
    LanguageData,
    WordSet,
    read_language_data,
)
from companion.tuples import NamedTuple

# tables of the question's own language, each with its name in the data
_OWN = {
    "stop": "stop",
    "weak": "weak",
    "ors": "or",
    "ands": "and",
    "which": "which",
    "articles": "articles",
    "determiners": "determiners",
    "between": "between",
    "turned": "turned",
    "either": "either",
    "opening": "opening",
    "dos": "dos",
    "how": "how",
    "reasons": "reasons",
    "stranded": "stranded",
}
# of what kind the values are of which a change may be told
_KINDS_OF_MATTERS = {"location": "place", "amount": "number"}
# word lists of all languages together, each with its name in the data
_SHARED = {
    "me": "me",
    "us": "us",
    "called": "called",
    "identity": "identity",
    "times": "months",
    "numbers": "numbers",
    "agents": "agents",
    "by": "by",
    "symmetric": "symmetric",
    "clock": "clock",
    "inside": "inside",
    "holding": "holding",
    "has": "has",
    "as_what": "as_what",
    "of": "of",
    "said_for": "said_for",
    "titles": "titles",
    "naming": "naming",
    "moved": "moved",
    "homes": "homes",
    "renewed": "renewed",
    "past": "history",
    "frequencies": "frequencies",
}


@cache
def read_question_data() -> Mapping[str, LanguageData]:
    """Return the words of questions of each language, by its name."""
    return _read_all("ask")


@cache
def read_change_verbs() -> Mapping[str, LanguageData]:
    """Return which verbs of change speak of which states, by language."""
    return _read_all("matters")


def _read_all(name: str) -> Mapping[str, LanguageData]:
    tables: dict[str, LanguageData] = {}
    for language in sorted(os.listdir(FOLDER)):
        if os.path.exists(os.path.join(FOLDER, language, f"{name}.toml")):
            tables[language] = read_language_data(language, name)
    return tables


class Dependence(NamedTuple):
    """How languages say that one thing depends on another."""

    predicates: tuple[str, ...]  # as keys have them
    articles: tuple[str, ...]


@cache
def find_dependence_words() -> Dependence:
    """Return the predicates by which X depends on Y, and the articles of Y, of all languages."""
    predicates: set[str] = set()
    for data in read_question_data().values():
        phrases = data["words"]["dependence"].split("|")
        predicates.update(phrase.strip() for phrase in phrases)
    articles = _words_in_all("articles")
    return Dependence(tuple(sorted(predicates)), tuple(sorted(articles)))


def question_language(words: Sequence[str]) -> str:
    """Return the language in which most of *words* say nothing; English where none does.

    Where it is a tie, "was" asks in German before a verb of German: "Was spielt Jonas?".
    """
    counts: dict[str, int] = {}
    for language, little in _little_words().items():
        counts[language] = sum(word in little for word in words)
    most = max(counts.values())
    tied = [language for language in counts if counts[language] == most]
    if len(tied) == 1:
        return tied[0]
    for language in tied:
        if language != "en" and _asks_in(language, words):
            return language
    return "en" if "en" in tied else tied[0]


def _asks_in(language: str, words: Sequence[str]) -> bool:
    """Tell whether *words* begin with a question word of *language* and one of its verbs."""
    from companion.language.claims.grammar import grammar_of

    data = read_question_data()[language]
    asking = {*data["asks"], *data["words"]["which"].split()}
    if len(words) < 2 or words[0] not in asking:
        return False
    return grammar_of(language).lemma(words[1]) is not None


@cache
def _little_words() -> Mapping[str, WordSet]:
    """Return the words of each language that say nothing of what is asked."""
    little: dict[str, WordSet] = {}
    for language, data in read_question_data().items():
        little[language] = frozenset(data["words"]["stop"].split())
    return little


def build_question_tables(words: Sequence[str] = ()) -> LanguageData:
    """Return the tables by which a question of *words* is read.

    `companion.answers.words.Words` names them.
    """
    return dict(_tables(question_language(words)))


@cache
def _tables(language: str) -> LanguageData:
    own = read_question_data()[language]
    tables: LanguageData = dict(_shared_tables())
    for table, name in _OWN.items():
        tables[table] = frozenset(own["words"][name].split())
    asks: dict[str, WordSet] = {}
    for question_word, kinds in own["asks"].items():
        asks[question_word] = frozenset(kinds.split())
    tables["asks"] = asks
    return tables


@cache
def _shared_tables() -> LanguageData:
    """Return the tables of all languages together."""
    tables: LanguageData = {
        "concepts": _concepts_by_word(),
        "kinds": _kinds_by_word(),
        "values": _kinds_by_concept(),
        "wider": _wider_kinds(),
        "prepositions": dict(_entries("prepositions")),
        "endings": tuple(sorted(_words_in_all("endings"), key=_longest_first)),
    }
    for table, name in _SHARED.items():
        tables[table] = _words_in_all(name)
    return tables


def _concepts_by_word() -> dict[str, set[str]]:
    concepts: dict[str, set[str]] = {}
    for concept, line in _entries("concepts"):
        for word in line.partition("->")[0].split():
            concepts.setdefault(word, set()).add(concept)
    return concepts


def _kinds_by_concept() -> dict[str, set[str]]:
    kinds: dict[str, set[str]] = {}
    for concept, line in _entries("concepts"):
        values = line.partition("->")[2]
        kinds.setdefault(concept, set()).update(values.split())
    return kinds


def _kinds_by_word() -> dict[str, set[str]]:
    kinds: dict[str, set[str]] = {}
    for kind, line in _entries("kinds"):
        for word in line.split():
            kinds.setdefault(word, set()).add(kind)
    return kinds


def _wider_kinds() -> dict[str, set[str]]:
    wider: dict[str, set[str]] = {}
    for kind, line in _entries("wider"):
        wider.setdefault(kind, set()).update(line.split())
    return wider


@cache
def kinds_by_change() -> Mapping[str, Collection[str]]:
    """Return of what kind a thing's new state is, by the predicate that tells the change."""
    kinds: dict[str, set[str]] = {}
    for data in read_change_verbs().values():
        for matter, kind in _KINDS_OF_MATTERS.items():
            for predicate in data.get(matter, {}).get("changes", "").split("|"):
                kinds.setdefault(predicate, set()).add(kind)
    return kinds


def _entries(table: str) -> Iterator[tuple[str, str]]:
    """Yield the entries of one *table* of all languages; not every language has all."""
    for data in read_question_data().values():
        yield from data.get(table, {}).items()


def _words_in_all(name: str) -> set[str]:
    """Return the words of the list *name* in all languages."""
    words: set[str] = set()
    for data in read_question_data().values():
        words.update(data["words"][name].split())
    return words


def _longest_first(ending: str) -> tuple[int, str]:
    return -len(ending), ending
