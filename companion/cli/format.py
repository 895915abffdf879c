"""Words that every verb's answer is made of: ids, times and counts as a person reads them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from companion.cli.output import Title

#: the result of a verb, or a part of it
Doc = Mapping[str, Any]

MANY = 20  # longer lists are counted, and shown in full by --json only


def short(identifier: str | None) -> str:
    """Return enough of an id for a person to copy."""
    return (identifier or "")[:8]


def when(moment: str | None) -> str:
    """Return an RFC 3339 time to the minute; UTC, like everything companion stores."""
    return (moment or "")[:16].replace("T", " ")


def reason_of(reason: str, *, explain: bool) -> str:
    """Return *reason* as it is with *explain*; else without the numbers and rules that follow its
    sentences in parentheses.
    """
    if explain or not reason.endswith(")"):
        return reason
    sentences, found, _ = reason.partition(". (")
    return f"{sentences}." if found else reason


def titled(doc: Doc) -> str:
    """Return the title of a document, or, of a capture that has none yet, its id."""
    return doc["title"] or short(doc["id"])


def state_of(state: str) -> str:
    return "" if state == "active" else f"  ({state})"


def section(name: str, rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    listed = list(rows)
    if listed:
        yield Title(f"{name} {len(listed):,}")
        yield from some(
            f"  {what}  {reason}".rstrip() for what, reason in listed
        )


def some(lines: Iterable[str]) -> Iterator[str]:
    listed = list(lines)
    yield from listed[: 2 * MANY]
    if len(listed) > 2 * MANY:
        yield f"  … and {len(listed) - 2 * MANY:,} more lines (all of them with --json)"


def name_of(named: Doc) -> str:
    return named["path"] or named["title"] or short(named["id"])


def ending(doc: Doc, nothing: str) -> Iterator[str]:
    """Yield what ends the answer of an operation: its notes, and its commit, or *nothing* where it
    found nothing.
    """
    yield from (f"note: {note}" for note in doc["notes"])
    if doc["commit"]:
        yield commit_of(doc)
    elif nothing and not any(
        isinstance(value, list) and value for value in doc.values()
    ):
        yield nothing


def commit_of(doc: Doc) -> str:
    return f"commit {short(doc['commit'])} · git show {short(doc['commit'])}"


def called(named: Doc) -> str:
    """Return what an entry is called, and where it lies."""
    return (
        f"“{named['title']}” · {named['path']}"
        if named["title"] and named["path"]
        else name_of(named)
    )


def counts(numbers: dict[str, int]) -> str:
    """Return counts as ``3 captured, 1 seen``; zeros are left out."""
    said = (
        f"{number:,} {what.replace('_', ' ')}"
        for what, number in numbers.items()
        if number
    )
    return ", ".join(said) or "nothing changed"


def exchanged(doc: Doc) -> Iterator[str]:
    yield f"tree    {short(doc['tree'])}"
    yield f"buffer  {short(doc['buffer']) or 'none'}" + (
        " and private ones" if doc["private"] else ""
    )
    yield counts(doc["counts"])
