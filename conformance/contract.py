"""Read the contract, `spec.md`, and hold the list of laws against it: ids, and parts of each."""

import re
from collections.abc import Iterator
from pathlib import Path

from conformance.chapter import Malformed
from conformance.laws import LIST, Law, sort_ids

COPY = "spec.md"
# a law is a point, whose further lines are indented, or a row of a table: | id | name | what … |
_POINT = re.compile(r"^- \*\*([A-Z]{3}-\d+)\*\* (.*(?:\n  .*)*)", re.MULTILINE)
_ROW = re.compile(r"^\| ([A-Z]{3}-\d+) \| [^|]+ \| (.*) \|$", re.MULTILINE)
# what is said in passing has no part of its own
_ASIDE = re.compile(r"\([^()]*\)|`[^`]*`")
_BETWEEN = re.compile(r";|\.\s|\|")

Contract = dict[str, tuple[str, ...]]


def read_contract(folder: Path) -> Contract:
    """Return the ids of `spec.md` in *folder*, each with its parts; Malformed if it has none."""
    try:
        text = (folder / COPY).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise Malformed(f"{folder}: {COPY} is not here") from None
    found: Contract = {}
    for pattern in (_ROW, _POINT):
        for match in pattern.finditer(text):
            found[match[1]] = found.get(match[1], ()) + _parts(match[2])
    if not found:
        raise Malformed(f"{COPY} names no law")
    return found


def _parts(text: str) -> tuple[str, ...]:
    """Return the sentences of a law, and what semicolons or the cells of a row divide."""
    left = _ASIDE.sub("", text)
    while left != text:
        text, left = left, _ASIDE.sub("", left)
    parts = [
        " ".join(part.split()).strip(" .\u2013")
        for part in _BETWEEN.split(left)
    ]
    return tuple(part for part in parts if part)


def faults(laws: list[Law], contract: Contract) -> Iterator[str]:
    """Yield each id that one of the two lacks, and each law with fewer clauses than parts."""
    listed = {law.id for law in laws}
    for id in sort_ids(contract.keys() - listed):
        yield f"{id} is missing: {LIST} lacks it"
    for id in sort_ids(listed - contract.keys()):
        yield f"{id} is missing: {COPY} lacks it"
    for law in laws:
        parts = len(contract.get(law.id, ()))
        clauses = len(law.clauses)
        if clauses < parts:
            yield f"{LIST}: {law.id} has {clauses} clauses, and {COPY} {parts} parts"
