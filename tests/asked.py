"""Queries on record, written into the ledger as a night writes them: what AUDIT replays, without
living through it.
"""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from companion.runs.publication import COMPANION
from companion.runs.run import make_inputs, open_run
from companion.storage import ledger_file
from tests.wiki import Wiki


class Asked(NamedTuple):
    """One query, its pages by title."""

    words: str
    shown: Sequence[str] = ()
    opened: Sequence[str] = ()
    outcome: str | None = None
    verb: str = "search"
    agent: str = "owner"


def log(
    wiki: Wiki, queries: Iterable[Asked], opened: dict[str, int] | None = None
) -> str:
    """Put *queries* on record, and pages *opened* by name so many times, as one run; return its
    name.
    """
    with open_run(wiki.ws, "consolidate") as tonight:
        ids = {
            title: id
            for id, title in tonight.db.execute(
                "SELECT id, title FROM entries WHERE NOT tombstone"
            )
        }
        now = tonight.moment()
        lines: list[dict[str, Any]] = [
            {
                "e": "asked",
                "query": hashlib.sha256(
                    f"{n} {now} {each}".encode()
                ).hexdigest()[:16],
                "words": each.words,
                "at": now,
                "verb": each.verb,
                "shown": [ids[title] for title in each.shown],
                "opened": [ids[title] for title in each.opened],
                "outcome": each.outcome or "",
                "agent": each.agent,
                "count": 1,
                "reason": "asked once",
            }
            for n, each in enumerate(queries)
        ]
        lines += [
            {
                "e": "used",
                "entry": ids[title],
                "accesses": n,
                "last": now,
                "credit": {"opened": n},
                "reason": "read",
            }
            for title, n in (opened or {}).items()
        ]
        run = ledger_file.make_run(
            "consolidate", now, make_inputs(tonight, {}, {}), lines
        )
        tonight.publish(run, [], "consolidate: use", "", author=COMPANION)
        tonight.refold()
    return run.id
