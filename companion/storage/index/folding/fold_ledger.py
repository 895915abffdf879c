"""Fold ledger files into the index: the events of a run become rows, many at a time."""

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

from companion.storage.index.tables import (
    audits,
    claims,
    decay,
    minority,
    resolutions,
    routing,
    sources,
    use,
)
from companion.storage.index.tables.pages import statements
from companion.storage.index.terms import split_words
from companion.storage.ledger_file import RunRecord
from companion.storage.run_events import RunEvent
from companion.storage.sqlite import Statement
from companion.values.events import PASSED_OVER, LedgerLine

_CHUNK = 1000  # events whose rows are in memory at a time

_ADD_KNOWN = """
    INSERT INTO known (id, path, blob, quarantined, bucket, since, touched)
    VALUES (?1,?2,?3,?4,?5,?6,?6)
    ON CONFLICT(id) DO UPDATE SET path = ?2, blob = ?3, deleted = 0,
      touched = ?6
    """
#: the page of ?1 stays where it is known, though a run wrote of it at the path ?2: two machines
#: began it. Of two paths the first stays, or that to which a person moved it.
_STAYS = """
    NOT known.deleted
    AND known.path <> ?2
    AND (
      known.path < ?2
      OR EXISTS (
        SELECT 1
        FROM events m
        WHERE m.entry = ?1 AND m.event = 'renamed'
          AND json_extract(m.data, '$.path') = known.path
      )
    )
    """
_ADD_WRITTEN = f"""
    INSERT INTO known (id, path, blob, quarantined, bucket, since, touched)
    VALUES (?1,?2,?3,?4,?5,?6,?6)
    ON CONFLICT(id) DO UPDATE SET
      path = CASE WHEN {_STAYS} THEN path ELSE ?2 END,
      blob = CASE WHEN {_STAYS} THEN blob ELSE ?3 END,
      deleted = 0, touched = ?6
    """
# What companion only says of a page is no access: it was touched as long ago as it was.
_UPDATE_TEXT = f"""
    UPDATE known
    SET path = ?2, blob = ?3, deleted = 0
    WHERE id = ?1 AND NOT ({_STAYS})
    """
_MARK_DELETED = """
    UPDATE known
    SET deleted = 1, touched = ?, title = ?
    WHERE id = ?
    """
_ADD_CONSUMED = "INSERT INTO consumed VALUES (?,?,?,?,?,?,?) ON CONFLICT(capture) DO NOTHING"
_REMOVE_WAITING = "DELETE FROM waiting WHERE capture = ?"
_ADD_WAITING = """
    INSERT INTO waiting
    VALUES (?1,?2,?3,?4,?5)
    ON CONFLICT(capture) DO UPDATE SET run = ?2, reason = ?3, kind = ?4,
      incumbent = ?5
    """
_UNDO_RUN = "UPDATE consumed SET outcome = ? WHERE run = ?"
_UNDO_ENTRY = "UPDATE consumed SET outcome = ? WHERE run = ? AND entry = ?"
_ADD_TELLING = "INSERT INTO heard VALUES (?,?) ON CONFLICT DO NOTHING"
_MOVE_NEWEST_TELLING = """
    UPDATE known
    SET told = max(coalesce(told, ''), ?)
    WHERE id = ?
    """
# the first answer stays
_ADD_VERDICT = """
    INSERT INTO verdicts VALUES (?,?,?,?,?)
    ON CONFLICT(key) DO NOTHING
    """
_ADD_QUESTION = (
    "INSERT INTO flags VALUES (?,?,?,?,?,?,?,?,?) ON CONFLICT(flag) DO NOTHING"
)
_ADD_RESTING = "INSERT INTO resting VALUES (?,?,?,?) ON CONFLICT DO NOTHING"
# a person may change their mind
_ADD_ANSWER = "INSERT OR REPLACE INTO answers VALUES (?,?,?,?,?)"
_REQUALIFY = "UPDATE known SET bucket = ?, quarantined = ? WHERE id = ?"
# back to what was said before
_UNDO_REQUALIFY = """
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
_PROTECT = "INSERT OR REPLACE INTO protected VALUES (?,?)"
_UNPROTECT = "DELETE FROM protected WHERE entry = ?"
_ADD_EVENT = "INSERT INTO events VALUES (?,?,?,?,?,?,?)"

#: the fields that `events` has in columns of their own
_IN_COLUMNS = frozenset(("v", "e", "entry", "reason"))
#: the fields that say what an event is about, the first one present
_SUBJECTS = ("branch", "capture", "entry", "run", "flag", "mark")


def _name_count(line: LedgerLine) -> str:
    """Return under which name an event is counted; of a container its members are counted."""
    name = str(line["e"])
    if name == "contextualized" and line["kind"] == "container":
        return "containers"
    if name == "unread" and line["code"] in PASSED_OVER:
        return "passed_over"
    return name


def apply_run(db: sqlite3.Connection, run: RunRecord) -> set[str]:
    """Fold one ledger file; return the ids of the entries that its events concern.

    Raises BadLedger or NewerLedger if a line of the file cannot be read.
    """
    counts: Counter[str] = Counter()
    entries: set[str] = set()
    numbered = enumerate(run.events)
    while chunk := list(islice(numbered, _CHUNK)):
        batches: dict[str, list[tuple[Any, ...]]] = {}
        for n, line in chunk:
            counts[_name_count(line)] += 1
            entries.update(_list_entries(db, line))
            event = RunEvent(run.id, run.now, n, line)
            for statement, values in _encode(event):
                batches.setdefault(statement, []).append(values)
        for statement, batch in batches.items():
            db.executemany(statement, batch)
    row = (
        run.id,
        run.operation,
        run.now,
        json.dumps(run.input, sort_keys=True),
        json.dumps(counts, sort_keys=True),
    )
    db.execute("INSERT INTO runs VALUES (?,?,?,?,?)", row)
    return entries


def _list_entries(db: sqlite3.Connection, line: LedgerLine) -> list[str]:
    """Return the entries that *line* concerns: its own, and those that an undone run had let out of
    quarantine or put there.
    """
    entries = [line["entry"]] if "entry" in line else []
    if line["e"] == "undone":
        query = (
            "SELECT entry FROM events WHERE run = ? AND event = 'requalified'"
        )
        entries += [entry for (entry,) in db.execute(query, (line["run"],))]
    return entries


def _encode(event: RunEvent) -> Iterator[Statement]:
    """Yield the rows of one event. No two statements of a run touch the same row, so each kind may
    go as one batch.
    """
    line = event.line
    subject = _find_subject(event)
    yield (
        _ADD_EVENT,
        (
            event.run,
            event.n,
            line["e"],
            subject,
            line.get("entry"),
            line["reason"],
            _encode_rest(line, subject),
        ),
    )
    for encode in _ENCODERS[line["e"]]:
        yield from encode(event)


def _encode_rest(line: LedgerLine, subject: str) -> str:
    """Return in JSON what of *line* no column of `events` has."""
    rest = {
        key: value
        for key, value in line.items()
        if key not in _IN_COLUMNS
        and not (key == "capture" and value == subject)
    }
    return json.dumps(rest, ensure_ascii=False, separators=(",", ":"))


def _find_subject(event: RunEvent) -> str:
    for name in _SUBJECTS:
        if event.line.get(name):
            return str(event.line[name])
    return event.run


# -- pages -----------------------------------------------------------------------------------------


def _encode_page(event: RunEvent) -> Iterator[Statement]:
    """Yield the row of where the page of an entry is from now on and what it holds."""
    yield _ADD_KNOWN, _describe_page(event)


def _encode_written(event: RunEvent) -> Iterator[Statement]:
    """Yield the row of what was written into the page of an entry, at one of its paths."""
    about = _describe_page(event)
    if event.line.get("derived"):
        yield _UPDATE_TEXT, about[:3]
        return
    yield _ADD_WRITTEN, about


def _describe_page(event: RunEvent) -> tuple[object, ...]:
    line = event.line
    return (
        line["entry"],
        line["path"],
        line["blob"],
        line.get("quarantined", 0),
        line.get("bucket"),
        event.now,
    )


def _encode_deleted(event: RunEvent) -> Iterator[Statement]:
    line = event.line
    yield _MARK_DELETED, (event.now, line.get("title"), line["entry"])


def _encode_requalified(event: RunEvent) -> Iterator[Statement]:
    line = event.line
    yield _REQUALIFY, (line["bucket"], line["quarantined"], line["entry"])


def _encode_protected(event: RunEvent) -> Iterator[Statement]:
    yield _PROTECT, (event.line["entry"], event.run)


def _encode_unprotected(event: RunEvent) -> Iterator[Statement]:
    yield _UNPROTECT, (event.line["entry"],)


# -- captures --------------------------------------------------------------------------------------


def _encode_waits(event: RunEvent) -> Iterator[Statement]:
    line = event.line
    kind = line.get("kind", "")
    about = (line["reason"], kind, line.get("incumbent"))
    yield _ADD_WAITING, (line["capture"], event.run, *about)


def _encode_consumed(event: RunEvent) -> Iterator[Statement]:
    line = event.line
    capture = line["capture"]
    outcome = (line["outcome"], line.get("entry"))
    telling = _describe_first_telling(line["sightings"])
    yield _ADD_CONSUMED, (capture, event.run, *outcome, *telling)
    yield _REMOVE_WAITING, (capture,)


def _describe_first_telling(
    sightings: list[LedgerLine],
) -> tuple[str | None, str | None, str | None]:
    """Return when the first telling was so, when it was told, and the folded words of its source;
    None for what is not known.
    """
    for sighting in sightings:
        seen_at = str(sighting["seen_at"])
        told_at = str(sighting.get("event_time", seen_at))
        speaker = " ".join(split_words(sighting.get("source") or ""))
        return told_at, seen_at, speaker or None
    return None, None, None


def _encode_tellings(event: RunEvent) -> Iterator[Statement]:
    line = event.line
    for sighting in line["sightings"]:
        seen_at = sighting["seen_at"]
        told_at = sighting.get("event_time", seen_at)
        yield _ADD_TELLING, (line["capture"], seen_at)
        yield _MOVE_NEWEST_TELLING, (told_at, line.get("entry"))


def _encode_undone(event: RunEvent) -> Iterator[Statement]:
    """Yield what takes back the outcomes of a whole run, or of some of its entries."""
    line = event.line
    target = (line["outcome"], line["run"])
    if "entries" not in line:
        yield _UNDO_RUN, target
        yield _UNDO_REQUALIFY, target
    for entry in line.get("entries", ()):
        yield _UNDO_ENTRY, (*target, entry)


# -- judges and questions --------------------------------------------------------------------------


def _encode_verdict(event: RunEvent) -> Iterator[Statement]:
    line = event.line
    answer = _write_json({**line["answer"], "reason": line["reason"]})
    about = (line["key"], line["task"], line["judge"])
    yield _ADD_VERDICT, (*about, answer, event.run)


def _encode_flagged(event: RunEvent) -> Iterator[Statement]:
    line = event.line
    question = (line["flag"], line["kind"], line["entry"])
    sides = (line.get("capture"), line.get("other"), line.get("key"))
    words = (line["reason"], line.get("statement"))
    yield _ADD_QUESTION, (*question, *sides, event.run, *words)
    for dependent in line.get("rests", ()):
        path = json.dumps(dependent["path"], ensure_ascii=False)
        about = dependent["entry"], dependent.get("statement", "")
        yield _ADD_RESTING, (line["flag"], *about, path)


def _encode_answered(event: RunEvent) -> Iterator[Statement]:
    line = event.line
    flag, key, judge = line["flag"], line["key"], line["judge"]
    choice = line["choice"]
    yield _ADD_ANSWER, (flag, key, judge, choice, event.run)
    answer = _write_json({"choice": choice, "flag": flag})
    yield _ADD_VERDICT, (key, "review", judge, answer, event.run)


def _write_json(value: LedgerLine) -> str:
    return json.dumps(
        value, ensure_ascii=False, sort_keys=True, separators=(",", ":")
    )


Encoder = Callable[[RunEvent], Iterator[Statement]]

#: for every event, what writes its rows; each event has a row in `events` besides
_ENCODERS: Mapping[str, tuple[Encoder, ...]] = {
    "registered": (_encode_page,),
    "edited": (_encode_written,),
    "renamed": (_encode_page,),
    "deleted": (_encode_deleted,),
    "created": (
        decay.encode_restored_copy,
        statements.encode_subject,
        _encode_written,
    ),
    "grown": (_encode_written,),
    "consumed": (
        _encode_consumed,
        _encode_tellings,
        statements.encode_mentions,
    ),
    "moved": (statements.encode_moved, statements.encode_mentions),
    "merged": (statements.encode_merged,),
    "statement": (statements.encode_statement,),
    "belongs": (statements.encode_belongs,),
    "gathering": (),
    "contextualized": (sources.encode_contextualized,),
    "shifted": (),
    "unread": (sources.encode_unread,),
    "locked": (sources.encode_locked,),
    "released": (sources.encode_released,),
    "claims": (claims.encode_claims,),
    "sighted": (_encode_tellings,),
    "waits": (_encode_waits,),
    "rejected": (),
    "expired": (),
    "undone": (
        minority.encode_undone,
        decay.encode_undone,
        audits.encode_undone,
        statements.encode_undone,
        sources.encode_undone,
        _encode_undone,
        claims.encode_undone,
    ),
    "verdict": (_encode_verdict,),
    "resolved": (resolutions.encode_resolved,),
    "judged": (),
    "flagged": (_encode_flagged,),
    "requalified": (_encode_requalified,),
    "reasoner": (),
    "answered": (_encode_answered, resolutions.encode_choice),
    "erased": (),
    "protected": (_encode_protected,),
    "unprotected": (_encode_unprotected,),
    "branched": (minority.encode_branched,),
    "joined": (minority.encode_joined,),
    "weighed": (minority.encode_weighed,),
    "promoted": (minority.encode_promoted, _encode_page),
    "followed": (minority.encode_followed,),
    "decaying": (minority.encode_decaying,),
    "compressed": (decay.encode_compressed,),
    "archived": (decay.encode_archived,),
    "restored": (decay.encode_restored,),
    "queued": (routing.encode_queued,),
    "unqueued": (routing.encode_unqueued,),
    "diverges": (routing.encode_diverges,),
    "converges": (routing.encode_converges,),
    "aliased": (),
    "reduced": (routing.encode_reduced,),
    "used": (use.encode_used,),
    "asked": (use.encode_asked,),
    "rated": (use.encode_rated,),
    "auditing": (audits.encode_auditing,),
    "audited": (audits.encode_audited,),
    "inconclusive": (audits.encode_inconclusive,),
    "settled": (audits.encode_settled,),
    "closed": (audits.encode_closed,),
}
