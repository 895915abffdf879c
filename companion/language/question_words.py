"""The words of questions: which stand for one concept, which say nothing, in every language that
has data.

What claims are read by (concepts, kinds) is that of all languages together, so that a question
finds notes in another one; which words say nothing is that of the question's own.
"""

import tomllib
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

_DATA = Path(__file__).parent / "data"
_OWN = ("stop", "weak", "ors", "ands", "which", "articles", "between")


@cache
def read_question_data() -> Mapping[str, dict[str, Any]]:
    """Return each language's data, by its name."""
    return {
        path.parent.name: tomllib.loads(path.read_text(encoding="utf-8"))
        for path in sorted(_DATA.glob("*/ask.toml"))
    }


@cache
def read_change_verbs() -> Mapping[str, dict[str, Any]]:
    """Return which verbs of change speak of which states, by language (`core.matters.families`)."""
    return {
        path.parent.name: tomllib.loads(path.read_text(encoding="utf-8"))
        for path in sorted(_DATA.glob("*/matters.toml"))
    }


class Dependence(NamedTuple):
    """How languages say that one thing depends on another."""

    predicates: tuple[str, ...]  # as keys have them
    articles: tuple[str, ...]


@cache
def find_dependence_words() -> Dependence:
    """Return the predicates by which X depends on Y, and the articles that Y may have, over all
    languages.
    """
    found = [data["words"] for data in read_question_data().values()]
    predicates = {
        each.strip()
        for words in found
        for each in words["dependence"].split("|")
    }
    articles = {each for words in found for each in words["articles"].split()}
    return Dependence(tuple(sorted(predicates)), tuple(sorted(articles)))


def question_language(said: Collection[str]) -> str:
    """Return the language in which most of the little words of *said* say nothing; English where
    none does.
    """
    little = _little()
    return max(
        sorted(little, key=lambda name: name != "en"),
        key=lambda name: sum(word in little[name] for word in said),
    )


@cache
def _little() -> Mapping[str, frozenset[str]]:
    return {
        name: frozenset(data["words"]["stop"].split())
        for name, data in read_question_data().items()
    }


def build_question_tables(said: Collection[str] = ()) -> dict[str, Any]:
    """Return the tables by which a question of the words *said* is read;
    `companion.answers.question.Words` names them.
    """
    return dict(_tables(question_language(said)))


@cache
def _tables(language: str) -> Mapping[str, Any]:
    shared = dict(_shared())
    own = read_question_data()[language]
    lists = {
        name: own["words"][{"ors": "or", "ands": "and"}.get(name, name)].split()
        for name in _OWN
    }
    return {
        **shared,
        **{name: frozenset(found) for name, found in lists.items()},
        "asks": _sets(own["asks"]),
    }


@cache
def _shared() -> Mapping[str, Any]:
    concepts: dict[str, set[str]] = {}
    kinds: dict[str, set[str]] = {}
    values: dict[str, set[str]] = {}
    wider: dict[str, set[str]] = {}
    lists: dict[str, set[str]] = {}
    for data in read_question_data().values():
        for concept, line in data["concepts"].items():
            said, _, kind = line.partition("->")
            for word in said.split():
                concepts.setdefault(word, set()).add(concept)
            values.setdefault(concept, set()).update(kind.split())
        for kind, line in data["kinds"].items():
            for word in line.split():
                kinds.setdefault(word, set()).add(kind)
        for kind, line in data.get("wider", {}).items():
            wider.setdefault(kind, set()).update(line.split())
        for name in (
            "me",
            "us",
            "called",
            "identity",
            "months",
            "numbers",
            "endings",
            "agents",
            "by",
            "symmetric",
            "clock",
            "inside",
            "holding",
            "history",
        ):
            lists.setdefault(name, set()).update(data["words"][name].split())
    endings = sorted(
        lists.pop("endings"), key=lambda ending: (-len(ending), ending)
    )
    lists["times"] = lists.pop("months")
    lists["past"] = lists.pop("history")
    return {
        "concepts": concepts,
        "kinds": kinds,
        "values": values,
        "wider": wider,
        "endings": endings,
        **lists,
    }


def _sets(table: Mapping[str, str]) -> dict[str, frozenset[str]]:
    return {name: frozenset(line.split()) for name, line in table.items()}
