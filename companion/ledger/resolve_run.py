"""What tonight's claims do to what stood: before the plan, the beliefs they attack; after it, the
audit rows (LED-6).

A key is settled twice, without and with tonight's claims, while the index cannot change; what then
stands otherwise is written. Two kinds of conflict are handed on: one with a load-bearing entry goes
to the plan as evidence against its capture; one that no rule may decide becomes a question in
`review`.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from companion.comparison.consistency import Judged
from companion.judges import ask as judge
from companion.language.protocols import Identity
from companion.ledger import claims_of_key, supersession
from companion.ledger.read_notes import Readings
from companion.ledger.resolve import RuleBook, open_rule_book
from companion.ledger.supersession import Resolution, Standing
from companion.runs.run import Run
from companion.storage.index import isolation
from companion.storage.index.tables import claims
from companion.storage.index.tables.claims import Stated
from companion.storage.index.tables.entries import find_path
from companion.storage.index.tables.questions import list_questions_of_kind
from companion.storage.index.tables.resolutions import Resolved, item
from companion.storage.index.tables.verdicts import Verdicts
from companion.values import time as times
from companion.values.relations import Relation

CONFLICT = "conflict"
RULES = Identity("ledger", "1")
_LATEST = "9999-12-31T23:59:59.999999Z"
_FALLEN = ("disputed", "superseded", "retracted", "ended")


class _Matter(NamedTuple):
    """One key that tonight speaks of."""

    old: list[Stated]
    new: list[Stated]


def find_attacks(tonight: Run, readings: Readings) -> dict[str, list[Judged]]:
    """Return, by capture, the load-bearing entries whose claims it contradicts without stating a
    change (ROW-4).
    """
    found: dict[str, list[Judged]] = {}
    with isolation.deciding(tonight.db) as view:
        book = open_rule_book(view, Verdicts(tonight.journal, tonight.db))
        if not book.guarded:
            return found
        for matter in _matters(book, readings.stated()):
            for new, old in _attacks(book, matter, tonight.present()):
                found.setdefault(new.capture, []).append(_judged(tonight, new, old))
    return found


def _attacks(book: RuleBook, matter: _Matter, now: str) -> list[tuple[Stated, Stated]]:
    by_id = {each.assertion.id: each for each in (*matter.old, *matter.new)}
    tonight = {each.assertion.id for each in matter.new}
    pairs = book.conflicts([*matter.old, *matter.new], at=_at(now, matter.new), known_at=_LATEST)
    return [
        (by_id[new.id], by_id[old.id])
        for new, old in pairs
        if new.id in tonight and old.id not in tonight
    ]


def _judged(tonight: Run, new: Stated, old: Stated) -> Judged:
    key = judge.key(CONFLICT, RULES, [new.assertion.id, old.assertion.id])
    why = f"claim {new.assertion.id} against {old.assertion.id} of one key, and no change stated with a time of its own"
    path = find_path(tonight.db, old.entry) or ""
    relation = Relation("contradicts", 1.0, why, opposition=1.0)
    return Judged(new.capture, old.entry, 2, relation, key, later=False, path=path)


def attack_verdicts(found: Iterable[Judged], taken: Collection[str]) -> list[dict[str, Any]]:
    """Return the ledger's lines for the attacks by the captures that a night has *taken* in."""
    return [
        {
            "e": "verdict",
            "key": each.key,
            "task": CONFLICT,
            "judge": str(RULES),
            "capture": each.capture,
            "other": each.other,
            "answer": {"label": "contradicts", "opposition": 1.0, "score": 1.0},
            "reason": each.relation.reason,
        }
        for each in sorted(found, key=lambda each: each.key)
        if each.capture in taken
    ]


def resolution_events(tonight: Run, events: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the `resolved` lines for the keys that the `claims` *events* of a run settle
    otherwise, and questions.
    """
    written = [stated for event in events for stated in claims.of_event(event)]
    rows: dict[tuple[str, str], list[Resolved]] = {}
    with isolation.deciding(tonight.db) as view:
        book = open_rule_book(view, Verdicts(tonight.journal, tonight.db))
        for matter in _matters(book, written):
            row = _resolved(book, matter, tonight.present())
            if row is not None:
                newest = matter.new[-1]
                rows.setdefault((newest.capture, newest.entry), []).append(row)
        asked = list_questions_of_kind(tonight.db, "disputed")
    made: list[dict[str, Any]] = []
    for (capture, entry), found in rows.items():
        why = f"{len(found)} key{'s' * (len(found) > 1)} settled otherwise than before"
        about = {"capture": capture, "entry": entry}
        made.append({"e": "resolved", **about, "keys": [item(row) for row in found], "reason": why})
        made += [
            _question(about, row) for row in found if row.flag is not None and row.flag not in asked
        ]
    return made


def _question(about: Mapping[str, str], row: Resolved) -> dict[str, Any]:
    why = f"claims {' and '.join(row.disputed)} cannot all be so: {row.why}"
    return {"e": "flagged", "flag": row.flag, "kind": "disputed", **about, "reason": why}


def _matters(book: RuleBook, new: Iterable[Stated]) -> list[_Matter]:
    """Group *new* by what it is about, with everything that was told of that before."""
    names: dict[str, tuple[str, ...]] = {}
    told: dict[tuple[str, ...], list[Stated]] = {}
    for each in new:
        name = claims.name_of(each.assertion.key[0])
        if name not in names:
            names[name] = tuple(sorted(claims.things(book.view.db, name)[0]))
        told.setdefault(names[name], []).append(each)
    matters: dict[frozenset[str], _Matter] = {}
    for thing, said in told.items():
        for predicate in dict.fromkeys(each.assertion.key[1] for each in said):
            old, fresh = claims_of_key.known_and_new(book.view.db, thing, predicate, said)
            matter = _Matter(old, sorted(fresh, key=_in_order))
            matters.setdefault(frozenset(each.assertion.id for each in (*old, *fresh)), matter)
    return list(matters.values())


def _in_order(each: Stated) -> tuple[str, int]:
    return each.assertion.told_at, each.assertion.serial or 0


def _at(now: str, new: Iterable[Stated]) -> str:
    return times.reached(now, (each.assertion.told_at for each in new))


def _resolved(book: RuleBook, matter: _Matter, now: str) -> Resolved | None:
    """Return the audit row of one key; None where everything stands as before, or for the first
    time.
    """
    if len(matter.old) + len(matter.new) < 2 or not matter.new:
        return None
    at = _at(now, matter.new)
    everything = [*matter.old, *matter.new]
    before = (
        {s.assertion.id: s.status for s in book.settle(matter.old, at=at, known_at=_LATEST)}
        if matter.old
        else {}
    )
    after = book.settle(everything, at=at, known_at=_LATEST)
    fallen = [
        s
        for s in after
        if s.status in _FALLEN
        and s.status != before.get(s.assertion.id)
        and s.assertion.mood != "retracted"
    ]
    return _row(book, everything, fallen, after) if fallen else None


def _row(
    book: RuleBook, group: Sequence[Stated], fallen: Sequence[Standing], after: Resolution
) -> Resolved:
    first = min(fallen, key=lambda s: _FALLEN.index(s.status))
    open_ = [s for s in after if s.status == "disputed"] if first.status == "disputed" else []
    # What denies a value ended it; else a denial stands beside everything and wins against nothing.
    won = [
        s
        for s in after
        if s.status == "active" and (not s.assertion.negated or first.status == "ended")
    ]
    lost = [s for s in fallen if s.status != "disputed"]
    question = supersession.open_question(after)
    return Resolved(
        first.status,
        book.way(group).strategy,
        first.reason,
        _ids(won),
        _ids(lost),
        _ids(open_),
        question,
    )


def _ids(standings: Iterable[Standing]) -> tuple[str, ...]:
    """Return one claim for each value, its newest: what else was told for the value stands beside
    it.
    """
    return tuple({s.assertion.value: s.assertion.id for s in standings}.values())
