"""Read the list of laws, `laws.toml`, and hold the cases of the chapters against its clauses."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from conformance.chapter import ID, Case, Chapter, Malformed

LIST = "laws.toml"
# a bold or plain id that stands for a law in a specification; a range names all between
RANGE = re.compile(r"\b([A-Z]{3})-(\d+)(?: ?(?:\.\.|…|to) ?(\d+))?\b")


class Clause(NamedTuple):
    """One thing that a law asks: the names of the cases that prove it, or why there is none."""

    text: str
    cases: tuple[str, ...]
    why_not: str


class Law(NamedTuple):
    """An id of the specification, with its clauses."""

    id: str
    title: str
    clauses: tuple[Clause, ...]


class Row(NamedTuple):
    """The count of one law: clauses that have a case, of all clauses, and what is missing."""

    law: Law
    proved: int
    twins: int
    missing: tuple[Clause, ...]


def read_laws(folder: Path) -> list[Law]:
    """Return the laws of `laws.toml` in *folder*, in order; Malformed if one cannot be read."""
    path = folder / LIST
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []
    except ValueError as error:
        raise Malformed(f"{LIST}: {error}") from None
    return [_law(id, table) for id, table in document.items()]


def _law(id: str, table: object) -> Law:
    if not ID.fullmatch(id) or not isinstance(table, dict):
        raise Malformed(f"{LIST}: {id} is no law with clauses")
    title = table.get("title")
    if not isinstance(title, str) or not title:
        raise Malformed(f"{LIST}: {id} has no title")
    clauses = [
        _clause(id, text, value)
        for text, value in table.items()
        if text != "title"
    ]
    if not clauses:
        raise Malformed(f"{LIST}: {id} has no clause")
    return Law(id, title, tuple(clauses))


def _clause(id: str, text: str, value: object) -> Clause:
    if isinstance(value, str) and value.strip():
        return Clause(text, (), value)
    names = value if isinstance(value, list) else []
    if not names or not all(isinstance(name, str) for name in names):
        raise Malformed(
            f"{LIST}: {id}: {text!r} needs names of cases, or a sentence why there is none"
        )
    return Clause(text, tuple(names), "")


def faults(laws: list[Law], book: list[Chapter]) -> Iterator[str]:
    """Yield what is wrong between the list and the chapters: gaps in the numbers, unknown cases."""
    known: dict[str, Case] = {}
    for chapter in book:
        known |= {case.name: case for case in chapter.cases}
    yield from _gaps_in_numbers(laws)
    for law in laws:
        yield from _faults_of_clauses(law, known)
    listed = {law.id for law in laws}
    for chapter in book:
        for id in chapter.claims:
            if id not in listed:
                yield f"{chapter.path.name} claims {id}, which {LIST} does not have"


def _faults_of_clauses(law: Law, known: dict[str, Case]) -> Iterator[str]:
    for clause in law.clauses:
        for name in clause.cases:
            if name not in known:
                yield f"{LIST}: {law.id}: there is no case {name!r}"
            elif law.id not in known[name].ids:
                yield f"{LIST}: {law.id}: {name!r} is no case of {law.id}"


def _gaps_in_numbers(laws: list[Law]) -> Iterator[str]:
    """Yield each number that a family passes over: 1, 2, 4 lacks 3."""
    pairs = sorted((law.id[:3], int(law.id[4:])) for law in laws)
    for family, members in groupby(pairs, key=lambda pair: pair[0]):
        numbers = [number for _, number in members]
        for number in range(1, numbers[-1]):
            if number not in numbers:
                yield f"{LIST}: {family}-{number} is missing"


def unplaced(laws: list[Law], book: list[Chapter]) -> list[str]:
    """Return the cases that no clause names."""
    placed: set[str] = set()
    for law in laws:
        for clause in law.clauses:
            placed |= set(clause.cases)
    titles = []
    for chapter in book:
        titles += [
            case.title for case in chapter.cases if case.name not in placed
        ]
    return titles


def count(laws: list[Law], twins: dict[str, int]) -> list[Row]:
    """Return a row for each law; *twins* has the number of twins that break each id."""
    rows = []
    for law in laws:
        missing = tuple(clause for clause in law.clauses if not clause.cases)
        proved = len(law.clauses) - len(missing)
        rows.append(Row(law, proved, twins.get(law.id, 0), missing))
    return rows


def compare(laws: list[Law], specification: str) -> list[str]:
    """Return how the ids of the list differ from those that *specification* names."""
    listed = {law.id for law in laws}
    named = set(_ids(specification))
    lines = [f"{LIST} lacks {id}" for id in sort_ids(named - listed)]
    lines += [f"the text lacks {id}" for id in sort_ids(listed - named)]
    return lines


def _ids(text: str) -> Iterator[str]:
    for match in RANGE.finditer(text):
        family, first, last = match.groups()
        for number in range(int(first), int(last or first) + 1):
            yield f"{family}-{number}"


def sort_ids(ids: Iterable[str]) -> list[str]:
    """Return *ids* by family and number."""
    return sorted(ids, key=lambda id: (id[:3], int(id[4:])))
