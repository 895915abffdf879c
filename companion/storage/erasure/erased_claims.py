"""Find the claims that go with erased words; take them out of ledger files and of pages.

A claim holds the parts of a sentence in fields of their own, and a page's facts put them in another
order: replacing the words of the sentence reaches neither.
"""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from companion.storage import claim_lines
from companion.storage.ledger_file import encode_line
from companion.values.events import LedgerLine

CLAIMS_EVENT = b'"e":"claims"'
_REASON = "erased with what it was read from"
_BULLETS = (b"- ", b"* ")


class RecordedClaim(NamedTuple):
    """A claim as a ledger file states it."""

    event: LedgerLine
    id: str  # of the claim's assertion
    claim: LedgerLine


class Fact(NamedTuple):
    """The words of a claim that a line of a page's facts shows."""

    predicate: bytes
    object: bytes


def list_claims(data: bytes) -> Iterator[RecordedClaim]:
    """Yield every claim that the lines of a ledger file state."""
    for line in data.splitlines():
        if CLAIMS_EVENT not in line:
            continue
        try:
            event = json.loads(line)
            ids = [row[0] for row in claim_lines.build_claim_rows("", event)]
        except (ValueError, KeyError, TypeError, AttributeError):
            continue  # a foreign or torn line: companion states nothing there
        for id, claim in zip(ids, event["claims"], strict=True):
            yield RecordedClaim(event, id, claim)


def find_erased_claims(
    recorded: Collection[RecordedClaim],
    is_read_from_words: Callable[[LedgerLine, LedgerLine], bool],
) -> dict[str, LedgerLine]:
    """Return the claims read from erased words, and those by which a person took one of them back,
    by id.
    """
    erased: dict[str, LedgerLine] = {}
    for event, id, claim in recorded:
        if is_read_from_words(event, claim):
            erased[id] = claim
    retractions: dict[str, LedgerLine] = {}
    for _, id, claim in recorded:
        if not erased.keys().isdisjoint(claim.get("retracts", ())):
            retractions[id] = claim
    return erased | retractions


def drop_claims(data: bytes, erased: Mapping[str, LedgerLine]) -> bytes:
    """Return a ledger file without the *erased* claims."""
    if not erased or CLAIMS_EVENT not in data:
        return data
    lines = data.splitlines(keepends=True)
    return b"".join([_drop_claims_of_line(line, erased) for line in lines])


def _drop_claims_of_line(
    line: bytes, erased: Mapping[str, LedgerLine]
) -> bytes:
    recorded = list(list_claims(line))
    kept = [claim for _, id, claim in recorded if id not in erased]
    if len(kept) == len(recorded):
        return line
    event = recorded[0].event
    return encode_line({**event, "claims": kept, "reason": _REASON})


def list_facts(erased: Iterable[LedgerLine]) -> list[Fact]:
    """Return how pages word the *erased* claims, each once, in the order of their words."""
    words = set()
    for claim in erased:
        object = " ".join(claim["object"].split())
        if object:
            words.add((claim["predicate"], object))
    return [
        Fact(predicate.encode(), object.encode())
        for predicate, object in sorted(words)
    ]


def drop_fact_lines(data: bytes, facts: Collection[Fact]) -> bytes:
    """Return a page without the lines below its facts that state one of *facts*."""
    if not facts or b"## Facts" not in data:
        return data
    kept = []
    for line in data.splitlines(keepends=True):
        if not line.startswith(_BULLETS) or not _states_any(line, facts):
            kept.append(line)
    return b"".join(kept)


def _states_any(line: bytes, facts: Iterable[Fact]) -> bool:
    return any(
        object in line and predicate in line for predicate, object in facts
    )
