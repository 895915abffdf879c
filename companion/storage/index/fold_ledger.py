"""The ledger half of the fold: events become rows, many at a time."""

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

from companion.storage.index.tables import (
    audits,
    claims,
    minority,
    resolutions,
    routing,
)
from companion.storage.index.tables import decay as fading
from companion.storage.index.tables.use import EVENTS
from companion.storage.ledger_file import RunRecord

_CHUNK = 1000  # events whose rows are in memory at a time

_KNOWN = """
    INSERT INTO known (id, path, blob, quarantined, bucket, since, touched)
    VALUES (?1,?2,?3,?4,?5,?6,?6)
    ON CONFLICT(id) DO UPDATE SET path = ?2, blob = ?3, deleted = 0,
      touched = ?6
    """
_DELETED = "UPDATE known SET deleted = 1, touched = ?, title = ? WHERE id = ?"
_CONSUMED = (
    "INSERT INTO consumed VALUES (?,?,?,?) ON CONFLICT(capture) DO NOTHING"
)
_WAITED = "DELETE FROM waiting WHERE capture = ?"
_WAITS = """
    INSERT INTO waiting
    VALUES (?1,?2,?3,?4,?5)
    ON CONFLICT(capture) DO UPDATE SET run = ?2, reason = ?3, kind = ?4,
      incumbent = ?5
    """
_UNDONE = "UPDATE consumed SET outcome = ? WHERE run = ?"
_UNDONE_ENTRY = "UPDATE consumed SET outcome = ? WHERE run = ? AND entry = ?"
_HEARD = "INSERT INTO heard VALUES (?,?) ON CONFLICT DO NOTHING"
_TOLD = "UPDATE known SET told = max(coalesce(told, ''), ?) WHERE id = ?"
# the first answer stays
_VERDICT = "INSERT INTO verdicts VALUES (?,?,?,?,?) ON CONFLICT(key) DO NOTHING"
_FLAG = (
    "INSERT INTO flags VALUES (?,?,?,?,?,?,?,?) ON CONFLICT(flag) DO NOTHING"
)
_RESTING = "INSERT INTO resting VALUES (?,?,?) ON CONFLICT DO NOTHING"
# a person may change their mind
_ANSWER = "INSERT OR REPLACE INTO answers VALUES (?,?,?,?,?)"
_REQUALIFIED = "UPDATE known SET bucket = ?, quarantined = ? WHERE id = ?"
_UNREQUALIFIED = (  # back to what was said before
    """
    UPDATE known
    SET (bucket, quarantined) = (
      SELECT json_extract(e.data, '$.bucket'),
        coalesce(json_extract(e.data, '$.quarantined'), 0)
      FROM events e
      JOIN runs r ON r.run = e.run
      WHERE e.entry = known.id
        AND e.event IN ('created', 'promoted', 'registered', 'requalified')
        AND (?1 <> 'undone' OR e.run <> ?2)
      ORDER BY r.time DESC, e.run DESC
      LIMIT 1
    )
    WHERE id IN (
      SELECT entry
      FROM events
      WHERE run = ?2 AND event = 'requalified'
    )
    """
)
_PROTECTED = "INSERT OR REPLACE INTO protected VALUES (?,?)"
_UNPROTECTED = "DELETE FROM protected WHERE entry = ?"
_EVENT = "INSERT INTO events VALUES (?,?,?,?,?,?,?)"

#: the fields that say what an event is about, the first one present
_SUBJECTS = ("branch", "capture", "entry", "run", "flag", "mark")
#: events that say where an entry's page is and what it holds
_PAGE_EVENTS = frozenset(
    {"registered", "edited", "renamed", "created", "grown", "promoted"}
)

_Row = tuple[str, tuple[Any, ...]]


def apply_run(db: sqlite3.Connection, run: RunRecord) -> set[str]:
    """Fold one ledger file; return the ids of the entries it speaks of. Raises BadLedger or
    NewerLedger.
    """
    counts: Counter[str] = Counter()
    touched: set[str] = set()
    numbered = enumerate(run.events)
    while chunk := list(islice(numbered, _CHUNK)):
        rows: dict[str, list[tuple[Any, ...]]] = {}
        for n, event in chunk:
            counts[event["e"]] += 1
            touched.update([event["entry"]] if "entry" in event else [])
            touched.update(_let_go(db, event))
            for statement, values in _rows(run, n, event):
                rows.setdefault(statement, []).append(values)
        for statement, batch in rows.items():
            db.executemany(statement, batch)
    row = (
        run.id,
        run.operation,
        run.now,
        json.dumps(run.input, sort_keys=True),
        json.dumps(counts, sort_keys=True),
    )
    db.execute("INSERT INTO runs VALUES (?,?,?,?,?)", row)
    return touched


def _let_go(db: sqlite3.Connection, event: Mapping[str, Any]) -> list[str]:
    """Return the entries that a run, which *event* takes back, let out of quarantine or put
    there.
    """
    if event["e"] != "undone":
        return []
    query = "SELECT entry FROM events WHERE run = ? AND event = 'requalified'"
    return [entry for (entry,) in db.execute(query, (event["run"],))]


def _rows(run: RunRecord, n: int, event: Mapping[str, Any]) -> Iterator[_Row]:
    """Yield the rows of one event. No two statements of a run touch the same row, so each kind may
    go as one batch.
    """
    kind, entry, capture = event["e"], event.get("entry"), event.get("capture")
    data = json.dumps(event, ensure_ascii=False)
    subject = next(
        (event[name] for name in _SUBJECTS if event.get(name)), run.id
    )
    yield _EVENT, (run.id, n, kind, subject, entry, event["reason"], data)
    if kind in minority.EVENTS:
        yield from minority.EVENTS[kind](run, event)
    if kind in routing.EVENTS:
        yield from routing.EVENTS[kind](run, event)
    if kind in EVENTS:
        yield from EVENTS[kind](run, event)
    if kind in fading.EVENTS:
        yield from fading.EVENTS[kind](run, event)
    if kind in audits.EVENTS:
        yield from audits.EVENTS[kind](run, event)
    if kind in _PAGE_EVENTS:
        flags = (event.get("quarantined", 0), event.get("bucket"))
        yield _KNOWN, (entry, event["path"], event["blob"], *flags, run.now)
    elif kind == "deleted":
        yield _DELETED, (run.now, event.get("title"), entry)
    elif kind == "undone":
        yield from _undo(run, event)
    elif kind == "claims":
        yield from (
            (claims.INSERT, row)
            for row in claims.build_claim_rows(run.id, event)
        )
    elif kind == "resolved":
        yield from (
            (resolutions.INSERT, row)
            for row in resolutions.build_resolution_rows(run.id, n, event)
        )
    elif kind in _OF_JUDGES:
        yield from _OF_JUDGES[kind](run, event)
    elif kind == "protected":
        yield _PROTECTED, (entry, run.id)
    elif kind == "unprotected":
        yield _UNPROTECTED, (entry,)
    elif kind == "waits":
        yield (
            _WAITS,
            (
                capture,
                run.id,
                event["reason"],
                event.get("kind", ""),
                event.get("incumbent"),
            ),
        )
    elif kind in ("consumed", "sighted"):
        if kind == "consumed":
            yield _CONSUMED, (capture, run.id, event["outcome"], entry)
            yield _WAITED, (capture,)
        for sighting in event["sightings"]:
            yield _HEARD, (capture, sighting["seen_at"])
            yield (
                _TOLD,
                (sighting.get("event_time", sighting["seen_at"]), entry),
            )


def _undo(run: RunRecord, event: Mapping[str, Any]) -> Iterator[_Row]:
    yield from minority.undone(run, event)
    yield from fading.undone(run, event)
    yield from audits.undone(int(event["outcome"] == "undone"), event["run"])
    withdrawn = run.now if event["outcome"] == "undone" else None
    if "entries" not in event:
        yield _UNDONE, (event["outcome"], event["run"])
        yield _UNREQUALIFIED, (event["outcome"], event["run"])
        yield claims.WITHDRAWN, (withdrawn, event["run"])
    for taken_back in event.get("entries", ()):
        yield _UNDONE_ENTRY, (event["outcome"], event["run"], taken_back)
        yield claims.WITHDRAWN_ENTRY, (withdrawn, event["run"], taken_back)


def _verdict(run: RunRecord, event: Mapping[str, Any]) -> Iterator[_Row]:
    whole = {**event["answer"], "reason": event["reason"]}
    answer = json.dumps(
        whole, ensure_ascii=False, sort_keys=True, separators=(",", ":")
    )
    yield (
        _VERDICT,
        (event["key"], event["task"], event["judge"], answer, run.id),
    )


def _flag(run: RunRecord, event: Mapping[str, Any]) -> Iterator[_Row]:
    sides = (
        event["entry"],
        event.get("capture"),
        event.get("other"),
        event.get("key"),
    )
    yield _FLAG, (event["flag"], event["kind"], *sides, run.id, event["reason"])
    for each in event.get("rests", ()):
        yield (
            _RESTING,
            (
                event["flag"],
                each["entry"],
                json.dumps(each["path"], ensure_ascii=False),
            ),
        )


def _answer(run: RunRecord, event: Mapping[str, Any]) -> Iterator[_Row]:
    yield (
        _ANSWER,
        (event["flag"], event["key"], event["judge"], event["choice"], run.id),
    )
    said = json.dumps(
        {"choice": event["choice"], "flag": event["flag"]},
        sort_keys=True,
        separators=(",", ":"),
    )
    yield _VERDICT, (event["key"], "review", event["judge"], said, run.id)

    if "claim" in event:
        yield (
            resolutions.CHOSEN,
            (
                event["flag"],
                event.get("at", run.now),
                event["claim"],
                event["key"],
            ),
        )


def _requalify(run: RunRecord, event: Mapping[str, Any]) -> Iterator[_Row]:
    yield _REQUALIFIED, (event["bucket"], event["quarantined"], event["entry"])


_OF_JUDGES: Mapping[
    str, Callable[[RunRecord, Mapping[str, Any]], Iterator[_Row]]
] = {
    "verdict": _verdict,
    "judged": lambda run, event: iter(()),
    "flagged": _flag,
    "answered": _answer,
    "requalified": _requalify,
    "reasoner": lambda run, event: iter(()),
}
