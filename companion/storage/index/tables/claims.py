"""Claims in the ledger and in the index: how one telling's claims are written, and how assertions
are read back.

A `claims` event holds what one telling of one capture states. What can be computed from the words
is not written: a note's whole record has 2 kB. The id of an assertion is a hash of all that makes
it, so every machine gives it the same.
"""

import hashlib
import sqlite3
from collections.abc import (
    Callable,
    Collection,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from datetime import UTC, datetime
from itertools import islice
from typing import Any, NamedTuple, get_args

from companion.values.claims import (
    Assertion,
    Claim,
    Mood,
    Precision,
    normal,
    split_words,
)
from companion.values.time import LATEST

INSERT = f"INSERT INTO claims VALUES ({','.join('?' * 28)},NULL) ON CONFLICT(id) DO NOTHING"
WITHDRAWN = "UPDATE claims SET withdrawn_at = ? WHERE run = ?"
WITHDRAWN_ENTRY = (
    "UPDATE claims SET withdrawn_at = ? WHERE run = ? AND entry = ?"
)
# of what was so until some time, nobody said since when
BEGINNING_OF_TIME = "0001-01-01T00:00:00.000000Z"
_COLUMNS = (
    "id, subject_key, predicate_key, value, told_at, valid_from, valid_to, precision, stated, change, mood, negated, "
    "functional, given, agent, source, subject, predicate, object, capture, entry, span_start, span_end, rule, run, "
    "retracts"
)
# confidence of one voice: two that agree outweigh one, and nobody is beyond doubt
SURE = 0.8
ALIAS = "also known as"  # the predicate under which a second name is told
_NAMES = 100  # of one thing; beyond that somebody calls everything by one name
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


def encode_claim(claim: Claim, retracts: Sequence[str] = ()) -> dict[str, Any]:
    """Return *claim* as the ledger writes it; what is usual, or follows from the words, is left
    out.

    *retracts* are the ids of what the owner takes back by hand.
    """
    period = claim.period
    usual: Mapping[str, tuple[Any, Any]] = {
        "key": (
            list(claim.key),
            [normal(claim.subject), normal(claim.predicate)],
        ),
        "valid": ([period.start, period.end], [None, None]),
        "precision": (period.precision, None),
        "stated": (int(period.stated), 0),
        "change": (int(claim.change), 0),
        "mood": (claim.mood, "confirmed"),
        "negated": (int(claim.negated), 0),
        "functional": (int(claim.functional), 1),
        "retracts": (list(retracts), []),
    }
    written = {
        name: value
        for name, (value, default) in usual.items()
        if value != default
    }
    said = {
        "subject": claim.subject,
        "predicate": claim.predicate,
        "object": claim.object,
    }
    return {**said, "span": list(claim.span), "rule": claim.rule, **written}


def is_claim_line(value: object) -> bool:
    """Tell whether *value* can be read back as a claim: a ledger file may come from anybody's
    clone.
    """
    if not isinstance(value, dict) or not all(
        isinstance(value.get(name), str)
        for name in ("subject", "predicate", "object", "rule")
    ):
        return False
    names = value.get("retracts", [])
    key, span, valid = (
        value.get("key", ["", ""]),
        value.get("span"),
        value.get("valid", [None, None]),
    )
    return (
        _all(key, str)
        and _all(span, int)
        and _all(valid, str | None)
        and isinstance(names, list)
        and all(isinstance(name, str) for name in names)
        and value.get("mood", "confirmed") in get_args(Mood)
        and value.get("precision", "day") in get_args(Precision)
        and all(
            value.get(name, 0) in (0, 1)
            for name in ("stated", "change", "negated", "functional")
        )
    )


def _all(value: object, kind: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(each, kind) for each in value)
    )


def build_claim_rows(
    run: str, event: Mapping[str, Any]
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a `claims` event."""
    told = event["telling"]
    seen = told["seen_at"]
    when, agent, source = (
        told.get("event_time", seen),
        told.get("agent") or "",
        told.get("source") or "",
    )
    for each in event["claims"]:
        key = each.get("key") or [
            normal(each["subject"]),
            normal(each["predicate"]),
        ]
        start, end = each.get("valid", (None, None))
        begins = start or (BEGINNING_OF_TIME if end else when)
        value, span = normal(each["object"]), each["span"]
        made_of = (
            event["capture"],
            *span,
            *key,
            value,
            each.get("mood", ""),
            begins,
            end or "",
            when,
            source,
            agent,
        )
        # told openly too, it is another claim
        made_of += ("private",) if told.get("scope") == "private" else ()
        yield (
            hashlib.sha256(
                "\x1f".join(map(str, made_of)).encode("utf-8", "surrogatepass")
            ).hexdigest()[:16],
            *key,
            value,
            seen,
            begins,
            end,
            each.get("precision", "second"),
            each.get("stated", 0),
            each.get("change", 0),
            each.get("mood", "confirmed"),
            each.get("negated", 0),
            each.get("functional", 1),
            agent,
            source,
            each["subject"],
            each["predicate"],
            each["object"],
            event["capture"],
            event["entry"],
            *span,
            each["rule"],
            run,
            normalize_name(key[0]),
            normalize_name(each["object"]),
            int(bool(told.get("explicit"))),
            " ".join(each.get("retracts", ())),
        )


def _serial(seen_at: str, start: int) -> int:
    """Return the place of a statement among those of its voice: telling by telling, and within one
    as it was said.
    """
    micros = (
        datetime.fromisoformat(seen_at) - _EPOCH
    ).total_seconds() * 1_000_000
    return (int(micros) << 32) + start


def normalize_name(said: str) -> str:
    """Return what a subject is looked up by."""
    return " ".join(split_words(said))


def list_claims_about(
    db: sqlite3.Connection, name: str, *, known_at: str | None = None
) -> list[RecordedClaim]:
    """Return what was told of those called *name*, by another name too, and not withdrawn by
    *known_at* (None: now).
    """
    return [
        each
        for thing in list_things_called(db, name, known_at=known_at)
        for each in list_claims_of_names(db, thing, known_at=known_at)
    ]


def list_claims_of_names(
    db: sqlite3.Connection, names: Iterable[str], *, known_at: str | None = None
) -> list[RecordedClaim]:
    """Return what was told of the one thing that *names* are names of."""
    return [
        found
        for each in names
        for found in _select(db, "name = ?", (each,), known_at)
    ]


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
    where = f"name = ? AND (predicate_key IN ({marks}) OR (predicate_key > ? AND predicate_key < ?))"
    keys = (*sorted(predicates), f"{role} ", f"{role}!")
    return [
        found
        for each in names
        for found in _select(db, where, (each, *keys), None)
    ]


def list_things_called(
    db: sqlite3.Connection, name: str, *, known_at: str | None = None
) -> list[list[str]]:
    """Return the names of each thing called *name*, itself in the first; names of names too, and
    round in circles.

    A name that was told of several things joins none of them: Mercury is a planet and an element.
    """
    told = _Names(db, known_at or LATEST)
    first = told.of(name)
    others = told.called(name)
    return [
        first,
        *(
            told.of(other)
            for other in others
            if len(others) > 1 and other not in first
        ),
    ]


class _Names:
    """Other names as they were told by one time: "X, also known as Y"."""

    def __init__(self, db: sqlite3.Connection, known_at: str) -> None:
        self.db, self.known_at = db, known_at

    def of(self, name: str) -> list[str]:
        """Return every name of the thing called *name*, as far as each is a name of that thing
        alone.
        """
        known = [name]
        for each in known:  # it grows on the way
            if len(known) < _NAMES:
                known += [
                    other for other in self._next(each) if other not in known
                ]
        return known

    def called(self, name: str) -> list[str]:
        """Return the things of which *name* was told to be another name."""
        return sorted(
            {
                first
                for first in self._select("name", "value", name)
                if first != name
            }
        )

    def _next(self, name: str) -> list[str]:
        seconds = [
            other
            for other in map(
                normalize_name, self._select("value", "name", name)
            )
            if other != name
        ]
        firsts = self.called(name)
        return [
            *(o for o in seconds if len(self.called(o)) == 1),
            *(firsts if len(firsts) == 1 else ()),
        ]

    def _select(self, column: str, where: str, name: str) -> list[str]:
        query = f"""
            SELECT DISTINCT {column}
            FROM claims
            WHERE {where} = ?1
              AND predicate_key = ?2
              AND mood = 'confirmed'
              AND NOT negated
              AND told_at <= ?3
              AND (withdrawn_at IS NULL OR withdrawn_at > ?3)
            ORDER BY 1
            """
        return [
            found
            for (found,) in self.db.execute(query, (name, ALIAS, self.known_at))
        ]


def list_claims_of_entry(
    db: sqlite3.Connection, entry: str, *, known_at: str | None = None
) -> list[RecordedClaim]:
    """Return what was told in the captures that the page of *entry* is made of."""
    return _select(db, "entry = ?", (entry,), known_at)


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
    """Return the keys of which anything was told or withdrawn by runs after *last*, or came due by
    *now*.
    """
    return {
        (subject, predicate)
        for subject, predicate in db.execute(_SINCE, (last, now))
    }


_SINCE = """
WITH later AS (SELECT run FROM runs WHERE time > ?1)
SELECT subject_key, predicate_key FROM claims WHERE run IN (SELECT run FROM later
  UNION SELECT e.subject FROM later l CROSS JOIN events e ON e.run = l.run WHERE e.event = 'undone')
UNION SELECT subject_key, predicate_key FROM claims WHERE valid_from > ?1 AND valid_from <= ?2
UNION SELECT subject_key, predicate_key FROM claims WHERE valid_to > ?1 AND valid_to <= ?2
"""


def decode_claims(event: Mapping[str, Any]) -> list[RecordedClaim]:
    """Return what a `claims` event states, as the index will give it back once it is folded."""
    tonight = "its run is yet to be named"
    # as `_COLUMNS` say
    return [
        _stated((*row[:13], row[-2], *row[13:24], row[-1]))
        for row in build_claim_rows(tonight, event)
    ]


def list_claims(
    db: sqlite3.Connection, ids: Iterable[str]
) -> list[RecordedClaim]:
    """Return the claims *ids*, withdrawn ones not, in their order."""
    return [
        found for each in ids for found in _select(db, "id = ?", (each,), None)
    ]


def find_claim(db: sqlite3.Connection, id: str) -> RecordedClaim | None:
    """Return the claim *id*, withdrawn since or not; None for what is no claim's id."""
    row = db.execute(
        f"SELECT {_COLUMNS} FROM claims WHERE id = ?", (id,)
    ).fetchone()
    return None if row is None else _stated(row)


def list_claims_with_value(
    db: sqlite3.Connection, names: Sequence[str], limit: int
) -> list[RecordedClaim]:
    """Return what has one of *names* for a value, at most *limit* claims, those told last."""
    where = f"value_name IN ({','.join('?' * len(names))}) ORDER BY told_at DESC, id LIMIT ?"
    return _select(db, where, (*names, limit), None)


def list_claims_of_compound(
    db: sqlite3.Connection, name: str, limit: int
) -> list[RecordedClaim]:
    """Return what was told of "*name* thing", a thing of it by one common noun: "the Berlin
    office".
    """
    found = _select(
        db,
        "name > ? AND name < ? ORDER BY name, id LIMIT ?",
        (f"{name} ", f"{name}!", limit),
        None,
    )
    return [
        each
        for each in found
        if (last := each.subject.split()[-1]).islower()
        and _one_more(each, name, last)
    ]


def _one_more(each: RecordedClaim, name: str, last: str) -> bool:
    return (
        normalize_name(each.assertion.key[0])
        == f"{name} {normalize_name(last)}"
    )


def select_known_names(
    db: sqlite3.Connection, names: Sequence[str], articles: Sequence[str] = ()
) -> set[str]:
    """Return which of *names* anything was told of, or has for a value, with one of *articles* or
    without.
    """
    marks = ",".join("?" * (len(articles) + 1))
    query = f"""
        SELECT 1
        FROM claims
        WHERE name = ? AND withdrawn_at IS NULL
        UNION ALL
        SELECT 1
        FROM claims
        WHERE value_name IN ({marks}) AND withdrawn_at IS NULL
        LIMIT 1
        """
    return {
        name
        for name in names
        if db.execute(query, (name, *list_spellings(name, articles))).fetchone()
    }


def list_spellings(name: str, articles: Sequence[str]) -> list[str]:
    """Return *name* as it may stand for a value: with an article or without."""
    return [name, *(f"{article} {name}" for article in articles)]


_OF_VOICE = "agent = ? AND source = ? AND told_at < ? AND mood <> 'retracted'"


def list_last_statement(
    db: sqlite3.Connection, agent: str, source: str, before: str
) -> list[RecordedClaim]:
    """Return what the newest sentence of one voice before the instant *before* states."""
    voice = (agent, source, before)
    found = _select(
        db,
        f"{_OF_VOICE} ORDER BY told_at DESC, span_start DESC LIMIT 1",
        voice,
        None,
    )
    same = f"{_OF_VOICE} AND told_at = ? AND capture = ? AND span_end > ?"
    return [
        each
        for last in found
        for each in _select(
            db,
            same,
            (*voice, last.assertion.told_at, last.capture, last.span[0]),
            None,
        )
    ]


def has_spoken_on(
    db: sqlite3.Connection,
    agent: str,
    source: str,
    key: tuple[str, str],
    before: str,
) -> bool:
    """Tell whether one voice said anything on *key* before the instant *before*."""
    where = f"subject_key = ? AND predicate_key = ? AND {_OF_VOICE} LIMIT 1"
    return bool(_select(db, where, (*key, agent, source, before), None))


def list_statements_fitting(
    db: sqlite3.Connection,
    agent: str,
    source: str,
    fits: Callable[[str], bool],
    before: str,
    most: int,
) -> list[RecordedClaim]:
    """Return at most *most* statements of one voice from before *before* that *fits* takes, the
    newest first.
    """
    texts = "subject_key || ' ' || predicate_key || ' ' || predicate || ' ' || object"
    query = f"SELECT id, {texts} FROM claims WHERE withdrawn_at IS NULL AND {_OF_VOICE}"
    rows = db.execute(f"{query} ORDER BY told_at DESC", (agent, source, before))
    ids = (id for id, text in rows if fits(text))
    return [
        each
        for id in list(islice(ids, most))
        for each in _select(db, "id = ?", (id,), None)
    ]


def _select(
    db: sqlite3.Connection,
    where: str,
    values: tuple[Any, ...],
    known_at: str | None,
) -> list[RecordedClaim]:
    known = (
        "withdrawn_at IS NULL"
        if known_at is None
        else "(withdrawn_at IS NULL OR withdrawn_at > ?)"
    )
    more = () if known_at is None else (known_at,)
    return [
        _stated(row)
        for row in db.execute(
            f"SELECT {_COLUMNS} FROM claims WHERE {known} AND {where}",
            more + values,
        )
    ]


def _stated(row: tuple[Any, ...]) -> RecordedClaim:
    (
        id,
        subject,
        predicate,
        value,
        told,
        start,
        end,
        precision,
        stated,
        change,
        mood,
        negated,
        functional,
    ) = row[:13]
    given, agent, source, *texts, first, last, rule, run, retracts = row[13:]
    assertion = Assertion(
        id,
        (subject, predicate),
        value,
        told,
        start,
        end,
        precision,
        bool(stated),
        bool(change),
        bool(given),
        mood,
        bool(negated),
        bool(functional),
        agent,
        source,
        _serial(told, first),
        SURE,
        "shared" if run else "private",
        tuple(retracts.split()),
    )
    said, matter, value_, capture, entry = texts
    return RecordedClaim(
        assertion, said, matter, value_, capture, entry, (first, last), rule
    )


# -- without the words around them -----------------------------------------------------------------


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


def list_last_speakers(
    db: sqlite3.Connection, key: tuple[str, str], most: int
) -> list[str]:
    """Return the *most* entries that told last of *key*, where it has one value at a time."""
    query = """
        SELECT entry
        FROM claims
        WHERE subject_key = ?
          AND predicate_key = ?
          AND functional
          AND withdrawn_at IS NULL
        GROUP BY entry
        ORDER BY max(told_at) DESC, entry
        LIMIT ?
        """
    return [entry for (entry,) in db.execute(query, (*key, most))]


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
