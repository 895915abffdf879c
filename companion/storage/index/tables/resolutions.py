"""The audit rows of the claim ledger: which claims stood against which in a night, and what became
of them (LED-6).

A `resolved` event has one row per key, in which claims are named by their ids, one for each value:
what else was told for a value is found beside it. What is usual is not written, for most keys are
settled by the later time.
"""

import sqlite3
from collections.abc import Collection, Iterator, Mapping

from companion.annotations import TYPE_CHECKING, Literal
from companion.tuples import NamedTuple
from companion.values.claims import Strategy
from companion.values.events import LedgerLine

if TYPE_CHECKING:
    from companion.storage.run_events import RunEvent
    from companion.storage.sqlite import Statement

_ADD = "INSERT INTO resolutions VALUES (?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING"
_CHOOSE = "INSERT INTO choices (flag, at, claim, key) VALUES (?,?,?,?) ON CONFLICT DO NOTHING"
#: what is not written
USUAL: Mapping[str, str] = {
    "status": "superseded",
    "strategy": "latest",
    "why": "another value became so later",
}
_SIDES = ("won", "lost", "disputed")
_TEXTS = ("status", "strategy", "why", "flag")


class ResolvedKey(NamedTuple):
    """The outcome of one key in one night."""

    status: str  # superseded, retracted, ended, disputed
    strategy: Strategy
    why: str
    won: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    disputed: tuple[str, ...] = ()
    flag: str | None = None  # the question that was asked about it


class ResolutionRow(NamedTuple):
    """One row, as reads give it."""

    run: str
    at: str
    claim: str
    side: Literal["won", "lost", "disputed"]
    status: str
    strategy: str
    why: str
    matter: int  # rows of one run with one number are of one key
    flag: str | None


def encode_resolution(resolved: ResolvedKey) -> LedgerLine:
    """Return *resolved* as the ledger writes it."""
    line: LedgerLine = {}
    for name, value in resolved._asdict().items():
        if value not in ((), None) and USUAL.get(name) != value:
            line[name] = list(value) if name in _SIDES else value
    return line


def is_resolution_line(value: object) -> bool:
    """Tell whether *value* can be read back: a ledger file may come from anybody's clone."""
    if not isinstance(value, dict):
        return False
    texts = [value.get(name, "") for name in _TEXTS]
    for side in _SIDES:
        claims = value.get(side, [])
        if not isinstance(claims, list):
            return False
        texts += claims
    return all(isinstance(text, str) for text in texts)


def encode_resolved(event: "RunEvent") -> Iterator["Statement"]:
    """Yield the rows of a `resolved` event, one for each claim that won, lost or is disputed."""
    for place, written in enumerate(event.line["keys"]):
        key = {**USUAL, **written}
        # rows of one key in one run share this number
        matter = (event.n << 20) + place
        result = (key["status"], key["strategy"], key["why"], matter)
        for side in _SIDES:
            for claim in key.get(side, ()):
                values = (event.run, claim, side, *result, key.get("flag"))
                yield _ADD, values


def encode_choice(event: "RunEvent") -> Iterator["Statement"]:
    """Yield the row of a claim that an `answered` event prefers in a dispute."""
    line = event.line
    if "claim" in line:
        at = line.get("at", event.now)
        yield _CHOOSE, (line["flag"], at, line["claim"], line["key"])


def list_resolutions(
    db: sqlite3.Connection, ids: Collection[str]
) -> list[ResolutionRow]:
    """Return every row of the nights in which one of the claims *ids* won, lost or was disputed,
    the oldest first.
    """
    columns = "o.run, r.time, o.claim, o.side, o.status, o.strategy, o.reason, o.matter, o.flag"
    query = f"""
        SELECT {columns}
        FROM resolutions i
        JOIN resolutions o ON o.run = i.run AND o.matter = i.matter
        JOIN runs r ON r.run = o.run
        WHERE i.claim = ?
        """
    rows: set[ResolutionRow] = set()
    for id in ids:
        rows.update(ResolutionRow(*row) for row in db.execute(query, (id,)))
    return sorted(rows, key=_order)


def _order(row: ResolutionRow) -> tuple[str, str, int, bool, str]:
    return row.at, row.run, row.matter, row.side != "won", row.claim


def list_disputed_claims(db: sqlite3.Connection, flag: str) -> list[str]:
    """Return the claims between which the question *flag* asks to choose."""
    rows = db.execute(
        "SELECT DISTINCT claim FROM resolutions WHERE flag = ? AND side = 'disputed' ORDER BY 1",
        (flag,),
    )
    return [claim for (claim,) in rows]


def list_choices(db: sqlite3.Connection) -> list[tuple[str, str, str]]:
    """Return (flag, transaction time, claim) of every choice that a ledger file has."""
    return db.execute(
        "SELECT flag, at, claim FROM choices ORDER BY at, key"
    ).fetchall()
