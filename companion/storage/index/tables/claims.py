"""Claims in the index: what was told of a thing, an entry or a key, and by whom.

A row is only ever added; `withdrawn_at` says when its run was undone. What holds now is computed at
each read.
"""

import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice

from companion.annotations import TYPE_CHECKING, Any
from companion.storage.claim_lines import (
    ClaimRow,
    build_claim_rows,
    normalize_name,
)
from companion.storage.index.claim_names import list_things_called
from companion.tuples import NamedTuple
from companion.values.claims import Assertion, Declared
from companion.values.events import LedgerLine

if TYPE_CHECKING:
    from companion.storage.run_events import RunEvent
    from companion.storage.sqlite import Statement

INSERT = f"""
    INSERT INTO claims VALUES ({",".join("?" * len(ClaimRow._fields))},NULL)
    ON CONFLICT(id) DO NOTHING
    """
_WITHDRAW_RUN = "UPDATE claims SET withdrawn_at = ? WHERE run = ?"
_WITHDRAW_ENTRY = (
    "UPDATE claims SET withdrawn_at = ? WHERE run = ? AND entry = ?"
)
_COLUMNS = ", ".join(ClaimRow._fields)
_CHANGED_KEYS = """
    WITH later AS (SELECT run FROM runs WHERE time > ?1)
    SELECT subject_key, predicate_key
    FROM claims
    WHERE run IN (
      SELECT run FROM later
      UNION
      SELECT e.subject
      FROM later l
      CROSS JOIN events e ON e.run = l.run
      WHERE e.event = 'undone'
    )
    UNION
    SELECT subject_key, predicate_key
    FROM claims
    WHERE valid_from > ?1 AND valid_from <= ?2
    UNION
    SELECT subject_key, predicate_key
    FROM claims
    WHERE valid_to > ?1 AND valid_to <= ?2
    """
#: what one voice said before some time
_OF_VOICE = "agent = ? AND source = ? AND told_at < ? AND mood <> 'retracted'"
# confidence of one voice: two that agree outweigh one, and nobody is beyond doubt
_CONFIDENCE = 0.8
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class RecordedClaim(NamedTuple):
    """An assertion with the words and the places it comes from."""

    assertion: Assertion
    subject: str
    predicate: str
    object: str
    capture: str
    entry: str
    span: tuple[int, int]
    rule: str
    # the predicate of its own key, where it is read under that of another
    told_as: str = ""


# -- rows ------------------------------------------------------------------------------------------


def encode_claims(event: "RunEvent") -> Iterator["Statement"]:
    """Yield the rows of a `claims` event."""
    for row in build_claim_rows(event.run, event.line):
        yield INSERT, row


def encode_undone(event: "RunEvent") -> Iterator["Statement"]:
    """Yield what withdraws a run's claims, or those of some entries, or brings them back."""
    line = event.line
    withdrawn = event.now if line["outcome"] == "undone" else None
    if "entries" not in line:
        yield _WITHDRAW_RUN, (withdrawn, line["run"])
    for entry in line.get("entries", ()):
        yield _WITHDRAW_ENTRY, (withdrawn, line["run"], entry)


def decode_claims(event: LedgerLine) -> list[RecordedClaim]:
    """Return what a `claims` event states, as the index will give it back once it is folded."""
    run = "its run is yet to be named"
    return [_decode(row) for row in build_claim_rows(run, event)]


def _decode(row: ClaimRow) -> RecordedClaim:
    assertion = Assertion(
        id=row.id,
        key=(row.subject_key, row.predicate_key),
        value=row.value,
        told_at=row.told_at,
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        precision=row.precision,
        stated=bool(row.stated),
        change=bool(row.change),
        given=bool(row.given),
        mood=row.mood,
        negated=bool(row.negated),
        functional=bool(row.functional),
        agent=row.agent,
        source=row.source,
        serial=_number_statement(row.told_at, row.span_start),
        declared=_read_declared(row),
        confidence=_CONFIDENCE,
        scope="shared" if row.run else "private",
        retracts=tuple(row.retracts.split()),
    )
    return RecordedClaim(
        assertion,
        row.subject,
        row.predicate,
        row.object,
        row.capture,
        row.entry,
        (row.span_start, row.span_end),
        row.rule,
    )


def _read_declared(row: ClaimRow) -> Declared | None:
    if row.number is None:
        return None
    first, last = row.first_number, row.last_number
    return Declared(
        row.number,
        row.number if first is None else first,
        row.number if last is None else last,
        row.capture,
    )


def _number_statement(seen_at: str, start: int) -> int:
    """Return a statement's place among those of its voice: telling by telling, and within one in
    the order of the text.
    """
    since = datetime.fromisoformat(seen_at) - _EPOCH
    return (int(since.total_seconds() * 1_000_000) << 32) + start


# -- by what they are about ------------------------------------------------------------------------


def list_claims_about(
    db: sqlite3.Connection, name: str, *, known_at: str | None = None
) -> list[RecordedClaim]:
    """Return what was told of everything called *name*, under its other names too.

    Claims withdrawn by *known_at* (None: by now) are left out.
    """
    claims: list[RecordedClaim] = []
    for names in list_things_called(db, name, known_at=known_at):
        claims += list_claims_of_names(db, names, known_at=known_at)
    return claims


def list_claims_of_names(
    db: sqlite3.Connection, names: Iterable[str], *, known_at: str | None = None
) -> list[RecordedClaim]:
    """Return what was told of the one thing that *names* are names of."""
    claims: list[RecordedClaim] = []
    for name in names:
        claims += _select(db, "name = ?", (name,), known_at)
    return claims


def list_claims_under(
    db: sqlite3.Connection,
    names: Iterable[str],
    predicates: Collection[str],
    role: str,
) -> list[RecordedClaim]:
    """Return what was told of a thing under any of *predicates*, or under one that begins with
    *role* and a space.
    """
    marks = ",".join("?" * len(predicates))
    where = f"""
        name = ?
        AND (
          predicate_key IN ({marks})
          OR (predicate_key > ? AND predicate_key < ?)
        )
        """
    # "!" is the character after the space
    keys = (*sorted(predicates), f"{role} ", f"{role}!")
    claims: list[RecordedClaim] = []
    for name in names:
        claims += _select(db, where, (name, *keys))
    return claims


def list_claims_of_entry(
    db: sqlite3.Connection, entry: str, *, known_at: str | None = None
) -> list[RecordedClaim]:
    """Return what was told in the captures that the page of *entry* is made of."""
    return _select(db, "entry = ?", (entry,), known_at)


def list_keys_of_entry(
    db: sqlite3.Connection, entry: str
) -> list[tuple[str, str]]:
    """Return the keys of which the captures of the page of *entry* told, in their order."""
    query = """
        SELECT subject_key, predicate_key FROM claims
        WHERE withdrawn_at IS NULL AND entry = ?
        """
    return list(dict.fromkeys(db.execute(query, (entry,))))


def list_claims_of_capture(
    db: sqlite3.Connection, capture: str
) -> list[RecordedClaim]:
    """Return what was told in *capture*."""
    return _select(db, "capture = ?", (capture,))


def list_claims(
    db: sqlite3.Connection, ids: Iterable[str]
) -> list[RecordedClaim]:
    """Return the claims *ids*, withdrawn ones not, in their order."""
    claims: list[RecordedClaim] = []
    for id in ids:
        claims += _select(db, "id = ?", (id,))
    return claims


def find_claim(db: sqlite3.Connection, id: str) -> RecordedClaim | None:
    """Return the claim *id*, withdrawn since or not; None for what is no claim's id."""
    query = f"SELECT {_COLUMNS} FROM claims WHERE id = ?"
    row = db.execute(query, (id,)).fetchone()
    return None if row is None else _decode(ClaimRow(*row))


def list_claims_with_value(
    db: sqlite3.Connection, names: Sequence[str], limit: int
) -> list[RecordedClaim]:
    """Return what has one of *names* for a value, at most *limit* claims, those told last."""
    marks = ",".join("?" * len(names))
    where = f"value_name IN ({marks}) ORDER BY told_at DESC, id LIMIT ?"
    return _select(db, where, (*names, limit))


def list_claims_of_compound(
    db: sqlite3.Connection, name: str, limit: int
) -> list[RecordedClaim]:
    """Return what was told of "*name* thing", a thing of it by one common noun: "the Berlin
    office".
    """
    where = "name > ? AND name < ? ORDER BY name, id LIMIT ?"
    claims = _select(db, where, (f"{name} ", f"{name}!", limit))
    return [claim for claim in claims if _is_compound(claim, name)]


def _is_compound(claim: RecordedClaim, name: str) -> bool:
    noun = claim.subject.split()[-1]
    if not noun.islower():
        return False
    subject = normalize_name(claim.assertion.key[0])
    return subject == f"{name} {normalize_name(noun)}"


# -- by who told them ------------------------------------------------------------------------------


def list_last_statement(
    db: sqlite3.Connection, agent: str, source: str, before: str
) -> list[RecordedClaim]:
    """Return what the newest sentence of one voice before the instant *before* states."""
    voice = (agent, source, before)
    newest = f"{_OF_VOICE} ORDER BY told_at DESC, span_start DESC LIMIT 1"
    same = f"{_OF_VOICE} AND told_at = ? AND capture = ? AND span_end > ?"
    claims: list[RecordedClaim] = []
    for last in _select(db, newest, voice):
        place = (last.assertion.told_at, last.capture, last.span[0])
        claims += _select(db, same, (*voice, *place))
    return claims


def has_spoken_on(
    db: sqlite3.Connection,
    agent: str,
    source: str,
    key: tuple[str, str],
    before: str,
) -> bool:
    """Tell whether one voice said anything on *key* before the instant *before*."""
    where = f"subject_key = ? AND predicate_key = ? AND {_OF_VOICE} LIMIT 1"
    return bool(_select(db, where, (*key, agent, source, before)))


def list_statements_fitting(
    db: sqlite3.Connection,
    agent: str,
    source: str,
    fits: Callable[[str], bool],
    before: str,
    most: int,
) -> list[RecordedClaim]:
    """Return at most *most* statements of one voice from before *before* whose text *fits* accepts,
    the newest first.
    """
    query = f"""
        SELECT id,
          subject_key || ' ' || predicate_key || ' ' ||
          predicate || ' ' || object
        FROM claims
        WHERE withdrawn_at IS NULL AND {_OF_VOICE}
        ORDER BY told_at DESC
        """
    rows = db.execute(query, (agent, source, before))
    ids = list(islice((id for id, text in rows if fits(text)), most))
    return list_claims(db, ids)


def _select(
    db: sqlite3.Connection,
    where: str,
    values: tuple[Any, ...],
    known_at: str | None = None,
) -> list[RecordedClaim]:
    known = "withdrawn_at IS NULL"
    if known_at is not None:
        known = "(withdrawn_at IS NULL OR withdrawn_at > ?)"
        values = (known_at, *values)
    query = f"SELECT {_COLUMNS} FROM claims WHERE {known} AND {where}"
    return [_decode(ClaimRow(*row)) for row in db.execute(query, values)]


# -- keys, values and entries ----------------------------------------------------------------------


def list_entries_of_key(
    db: sqlite3.Connection, key: tuple[str, str]
) -> list[str]:
    """Return the entries whose notes, or whose owner's hand, told anything of *key*; also what was
    withdrawn since.
    """
    query = """
        SELECT DISTINCT entry
        FROM claims
        WHERE subject_key = ? AND predicate_key = ?
        ORDER BY entry
        """
    return [entry for (entry,) in db.execute(query, key)]


def list_keys_changed(
    db: sqlite3.Connection, last: str, now: str
) -> set[tuple[str, str]]:
    """Return the keys of which runs after *last* told or withdrew anything, or of which a claim
    began or ended to hold by *now*.
    """
    rows = db.execute(_CHANGED_KEYS, (last, now))
    return {(subject, predicate) for subject, predicate in rows}


def list_keys_moved(
    db: sqlite3.Connection, last: str, operation: str
) -> set[tuple[str, str]]:
    """Return the keys of the claims that runs of *operation* after *last* moved to other pages."""
    query = """
        SELECT DISTINCT c.subject_key, c.predicate_key
        FROM runs r
        CROSS JOIN events v ON v.run = r.run AND v.event = 'moved'
        CROSS JOIN claims c ON c.entry = v.entry AND c.capture = v.subject
        WHERE r.time > ? AND r.operation = ? AND c.withdrawn_at IS NULL
        """
    return set(db.execute(query, (last, operation)).fetchall())


def find_claim_words(
    db: sqlite3.Connection, claim: str
) -> tuple[str, str] | None:
    """Return (subject · predicate, object) of *claim* as they were written, withdrawn or not."""
    query = (
        "SELECT subject || ' · ' || predicate, object FROM claims WHERE id = ?"
    )
    row = db.execute(query, (claim,)).fetchone()
    return None if row is None else (row[0], row[1])


def find_claim_value(db: sqlite3.Connection, claim: str) -> str | None:
    """Return the normal form of the object of *claim*, withdrawn or not."""
    row = db.execute(
        "SELECT value FROM claims WHERE id = ?", (claim,)
    ).fetchone()
    return None if row is None else str(row[0])


def list_predicates(db: sqlite3.Connection) -> list[str]:
    """Return every predicate under which anything was told that is not withdrawn."""
    query = (
        "SELECT DISTINCT predicate_key FROM claims WHERE withdrawn_at IS NULL"
    )
    return [key for (key,) in db.execute(query)]


def list_affirmed(
    db: sqlite3.Connection, entry: str
) -> set[tuple[str, str, str]]:
    """Return (subject, predicate, object in small letters) of what *entry* affirms."""
    query = """
        SELECT subject_key, predicate_key, object
        FROM claims
        WHERE entry = ?
          AND withdrawn_at IS NULL
          AND NOT negated
          AND mood = 'confirmed'
        """
    rows = db.execute(query, (entry,))
    return {
        (subject, predicate, value.casefold())
        for subject, predicate, value in rows
    }


def is_value_of_dependent(
    db: sqlite3.Connection, entry: str, name: str
) -> bool:
    """Tell whether an entry that depends on *entry* has a claim with *name* for its object."""
    query = """
        SELECT 1
        FROM claims c
        JOIN edges x ON x.source = c.entry AND x.target = ?1
        WHERE c.value_name = ?2 AND c.withdrawn_at IS NULL
        LIMIT 1
        """
    return db.execute(query, (entry, name)).fetchone() is not None
