"""Disputes and resolutions of claims, as a person reads and settles them."""

import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from companion.ledger.claims_of_key import list_claims_on_matter
from companion.ledger.resolve import open_rule_book
from companion.ledger.supersession import name_open_question
from companion.storage.index import isolation
from companion.storage.index.tables import claims, resolutions
from companion.storage.index.tables.pages.entries import find_title
from companion.storage.journal.verdicts import Verdicts
from companion.values.time import LATEST, reached

if TYPE_CHECKING:
    from companion.ledger.results import (
        ClaimChoice,
    )

KIND = "disputed"
_CLAIM_ID = re.compile(r"\b[0-9a-f]{16}\b")  # as reasons name it
_CLAIM_OR_ENTRY_ID = re.compile(r"\b[0-9a-z]{16}\b")
_SHORT = 8  # characters of an id that tell pages of one title apart


def list_claims_to_choose_from(
    db: sqlite3.Connection, flag: str
) -> "list[ClaimChoice]":
    """Return the claims between which the question *flag* asks to choose."""
    return describe_claims(db, resolutions.list_disputed_claims(db, flag))


def describe_claims(
    db: sqlite3.Connection, ids: Iterable[str]
) -> "list[ClaimChoice]":
    """Return what the claims *ids* say; withdrawn claims are left out."""
    described: list[ClaimChoice] = []
    for claim in claims.list_claims(db, ids):
        described.append(
            {
                "id": claim.assertion.id,
                "subject": claim.subject,
                "predicate": claim.predicate,
                "object": claim.object,
                "source": claim.assertion.source or None,
                "capture": claim.capture,
            }
        )
    return described


def is_dispute_open(
    db: sqlite3.Connection, log: Verdicts, flag: str, now: str
) -> bool:
    """Tell whether no later telling and no choice has settled a dispute."""
    members = claims.list_claims(db, resolutions.list_disputed_claims(db, flag))
    if not members:
        return False
    with isolation.reading(db) as view:
        group = list_claims_on_matter(db, members[0].assertion.key)
        at = reached(now, (claim.assertion.told_at for claim in group))
        book = open_rule_book(view, log)
        standings = book.settle(group, at=at, known_at=LATEST)
        return name_open_question(standings) == flag


def describe_resolutions(
    db: sqlite3.Connection, keys: Iterable[Mapping[str, Any]]
) -> str:
    """Return what a `resolved` event made of its keys, with the values that the index knows."""
    return "; ".join(_describe_resolution(db, key) for key in keys)


def _describe_resolution(db: sqlite3.Connection, key: Mapping[str, Any]) -> str:
    about = ""
    parts: list[str] = []
    for side, prefix in (
        ("won", ""),
        ("lost", "over "),
        ("disputed", "disputed "),
    ):
        values: list[str] = []
        for id in key.get(side, ()):
            known = claims.find_claim_words(db, id)
            if known is None:
                values.append("what is gone")
                continue
            about = about or known[0]
            values.append(known[1])
        if values:
            parts.append(prefix + " / ".join(values))
    why = key.get("why", resolutions.USUAL["why"])
    return f"{about or 'a claim that is gone'}: {' '.join(parts)} ({why})"


def replace_ids(db: sqlite3.Connection, reason: str) -> str:
    """Return *reason* with the words of claims and the titles of pages in place of their ids.

    Of pages with one title the ids begin behind it.
    """
    ids = dict.fromkeys(_CLAIM_OR_ENTRY_ID.findall(reason))
    names = {id: _name(db, id) for id in ids}
    bearers = Counter(names.values())

    def name(match: re.Match[str]) -> str:
        id = match[0]
        if bearers[names[id]] > 1:
            return f"{names[id]} ({id[:_SHORT]})"
        return names[id]

    return _CLAIM_OR_ENTRY_ID.sub(name, reason)


def _name(db: sqlite3.Connection, id: str) -> str:
    claim = claims.find_claim(db, id)
    if claim is not None:
        negation = "not " if claim.assertion.negated else ""
        return f"“{claim.subject} {claim.predicate}: {negation}{claim.object}”"
    title = find_title(db, id)
    return f"“{title}”" if title else id


def find_claim_ids(reason: str) -> list[str]:
    """Return the ids that *reason* names, each once."""
    return list(dict.fromkeys(_CLAIM_ID.findall(reason)))
