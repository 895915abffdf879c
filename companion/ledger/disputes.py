"""Disputes between claims as questions: what can be chosen, and whether it is still open."""

import sqlite3
from collections.abc import Iterable
from typing import Any

from companion.ledger import claims_of_key, supersession
from companion.ledger.resolve import open_rule_book
from companion.storage.index import isolation
from companion.storage.index.tables import claims, resolutions
from companion.storage.journal.verdicts import Verdicts
from companion.values import time as times
from companion.values.time import LATEST

KIND = "disputed"


def claims_to_choose_from(
    db: sqlite3.Connection, flag: str
) -> list[dict[str, Any]]:
    """Return the claims between which the question *flag* asks to choose."""
    return describe_claims(db, resolutions.list_disputed_claims(db, flag))


def describe_claims(
    db: sqlite3.Connection, ids: Iterable[str]
) -> list[dict[str, Any]]:
    """Return what the claims *ids* say, withdrawn ones not."""
    return [
        {
            "id": each.assertion.id,
            "subject": each.subject,
            "predicate": each.predicate,
            "object": each.object,
            "source": each.assertion.source or None,
            "capture": each.capture,
        }
        for each in claims.list_claims(db, ids)
    ]


def is_dispute_open(
    db: sqlite3.Connection, log: Verdicts, flag: str, now: str
) -> bool:
    """Tell whether nothing told since has settled a dispute, and no choice has."""
    members = claims.list_claims(db, resolutions.list_disputed_claims(db, flag))
    if not members:
        return False
    with isolation.reading(db) as view:
        group = claims_of_key.list_claims_on_matter(
            db, members[0].assertion.key
        )
        at = times.reached(now, (each.assertion.told_at for each in group))
        return (
            supersession.name_open_question(
                open_rule_book(view, log).settle(group, at=at, known_at=LATEST)
            )
            == flag
        )
