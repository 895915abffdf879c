"""Settle the claims of one run: before the plan, the beliefs they attack; after it, the audit rows
(LED-6).

A key is settled twice, without and with the run's claims, while the index cannot change; what then
stands otherwise is written. Two kinds of conflict are handed on: one with a load-bearing entry goes
to the plan as evidence against its capture; one that no rule may decide becomes a question in
`review`.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from companion.comparison.consistency import Judged
from companion.judges.ask import question_key
from companion.language.protocols import Identity
from companion.ledger.claims_of_key import split_known_and_new
from companion.ledger.read_notes import Readings
from companion.ledger.resolve import RuleBook, open_rule_book
from companion.ledger.settlement import Resolution, Standing
from companion.ledger.supersession import name_open_question
from companion.pages.statements import name_statement
from companion.runs.run import Run
from companion.storage import claim_lines
from companion.storage.index import claim_names, isolation
from companion.storage.index.tables import claims
from companion.storage.index.tables.claims import RecordedClaim
from companion.storage.index.tables.pages.entries import find_path
from companion.storage.index.tables.pages.statements import (
    find_statement_of_capture,
)
from companion.storage.index.tables.questions import list_questions_of_kind
from companion.storage.index.tables.resolutions import (
    ResolvedKey,
    encode_resolution,
)
from companion.storage.journal.verdicts import Verdicts
from companion.values.events import LedgerLine
from companion.values.relations import Relation
from companion.values.time import LATEST, reached
from companion.values.wording import many

CONFLICT = "conflict"
RULES = Identity("ledger", "1")
_FALLEN = ("disputed", "superseded", "retracted", "ended")


class _Matter(NamedTuple):
    """One key that the run speaks of."""

    old: list[RecordedClaim]
    new: list[RecordedClaim]


def find_attacks(run: Run, readings: Readings) -> dict[str, list[Judged]]:
    """Return, by capture, the load-bearing entries whose claims it contradicts without stating a
    change (ROW-4).
    """
    attacks: dict[str, list[Judged]] = {}
    with isolation.deciding(run.db) as view:
        book = open_rule_book(view, Verdicts(run.journal, run.db))
        if not book.guarded:
            return attacks
        for matter in _list_matters(book, readings.list_claims()):
            for new, old in _attacks_on(book, matter, run.present()):
                judged = _judge_attack(run, new, old)
                if judged is not None:
                    attacks.setdefault(new.capture, []).append(judged)
    return attacks


def _attacks_on(
    book: RuleBook, matter: _Matter, now: str
) -> list[tuple[RecordedClaim, RecordedClaim]]:
    """Return (attacker, attacked) where a claim of the run attacks one that was told before."""
    conflicts = book.find_conflicts(
        [*matter.old, *matter.new],
        at=_moment(now, matter.new),
        known_at=LATEST,
    )
    old = {claim.assertion.id: claim for claim in matter.old}
    new = {claim.assertion.id: claim for claim in matter.new}
    pairs: list[tuple[RecordedClaim, RecordedClaim]] = []
    for challenger, incumbent in conflicts:
        if challenger.id in new and incumbent.id in old:
            pairs.append((new[challenger.id], old[incumbent.id]))
    return pairs


def _judge_attack(
    run: Run, new: RecordedClaim, old: RecordedClaim
) -> Judged | None:
    """Return what a claim attacks; None where the statement that made the other one lost."""
    placed = find_statement_of_capture(run.db, old.capture)
    if placed is not None and not placed.stands:
        return None
    key = question_key(CONFLICT, RULES, [new.assertion.id, old.assertion.id])
    why = (
        f"claim {new.assertion.id} against {old.assertion.id} of one key, "
        "and no change stated with a time of its own"
    )
    path = find_path(run.db, old.entry) or ""
    relation = Relation("contradicts", 1.0, why, opposition=1.0)
    attack = Judged(
        new.capture, old.entry, 2, relation, key, later=False, path=path
    )
    if placed is None or placed.entry != old.entry:
        return attack
    name = name_statement(placed.title, placed.when)
    return attack._replace(statement=placed.capture, name=name)


def list_attack_verdicts(
    attacks: Iterable[Judged], taken: Collection[str]
) -> list[LedgerLine]:
    """Return the ledger's lines for the attacks by the captures that a run has *taken* in."""
    return [
        {
            "e": "verdict",
            "key": each.key,
            "task": CONFLICT,
            "judge": str(RULES),
            "capture": each.capture,
            **each.name_other(),
            "answer": {"label": "contradicts", "opposition": 1.0, "score": 1.0},
            "reason": each.relation.reason,
        }
        for each in sorted(attacks, key=lambda each: each.key)
        if each.capture in taken
    ]


def resolve_new_claims(
    run: Run, events: Sequence[LedgerLine]
) -> list[LedgerLine]:
    """Return the `resolved` lines for the keys that the `claims` *events* of a run settle
    otherwise, and the questions they raise.
    """
    written: list[RecordedClaim] = []
    for event in events:
        written += claims.decode_claims(event)
    rows: dict[tuple[str, str], list[ResolvedKey]] = {}
    with isolation.deciding(run.db) as view:
        book = open_rule_book(view, Verdicts(run.journal, run.db))
        for matter in _list_matters(book, written):
            row = _resolve_matter(book, matter, run.present())
            if row is not None:
                newest = matter.new[-1]
                rows.setdefault((newest.capture, newest.entry), []).append(row)
        asked = list_questions_of_kind(run.db, "disputed")
    lines: list[LedgerLine] = []
    for (capture, entry), resolved in rows.items():
        about = {"capture": capture, "entry": entry}
        lines.append(_resolved_line(about, resolved))
        for row in resolved:
            if row.flag is not None and row.flag not in asked:
                lines.append(_question_line(about, row))
    return lines


def _resolved_line(
    about: Mapping[str, str], resolved: Sequence[ResolvedKey]
) -> LedgerLine:
    subjects = many(len(resolved), "subject")
    return {
        "e": "resolved",
        **about,
        "keys": [encode_resolution(row) for row in resolved],
        "reason": f"Another value stands now for {subjects}.",
    }


def _question_line(about: Mapping[str, str], row: ResolvedKey) -> LedgerLine:
    why = f"claims {' and '.join(row.disputed)} cannot all be so: {row.why}"
    return {
        "e": "flagged",
        "flag": row.flag,
        "kind": "disputed",
        **about,
        "reason": why,
    }


def _list_matters(
    book: RuleBook, new: Iterable[RecordedClaim]
) -> list[_Matter]:
    """Group *new* by what it is about, with everything that was told of that before."""
    matters: dict[frozenset[str], _Matter] = {}
    for names, told in _group_by_thing(book, new).items():
        for predicate in dict.fromkeys(
            claim.assertion.key[1] for claim in told
        ):
            old, fresh = split_known_and_new(
                book.view.db, names, predicate, told
            )
            ids = frozenset(claim.assertion.id for claim in (*old, *fresh))
            matter = _Matter(old, sorted(fresh, key=_telling_order))
            matters.setdefault(ids, matter)
    return list(matters.values())


def _group_by_thing(
    book: RuleBook, new: Iterable[RecordedClaim]
) -> dict[tuple[str, ...], list[RecordedClaim]]:
    """Return *new* by all names of the thing that it is about."""
    names_of: dict[str, tuple[str, ...]] = {}
    groups: dict[tuple[str, ...], list[RecordedClaim]] = {}
    for claim in new:
        name = claim_lines.normalize_name(claim.assertion.key[0])
        if name not in names_of:
            names = claim_names.list_things_called(book.view.db, name)[0]
            names_of[name] = tuple(sorted(names))
        groups.setdefault(names_of[name], []).append(claim)
    return groups


def _telling_order(claim: RecordedClaim) -> tuple[str, int]:
    return claim.assertion.told_at, claim.assertion.serial or 0


def _moment(now: str, new: Iterable[RecordedClaim]) -> str:
    return reached(now, (claim.assertion.told_at for claim in new))


def _resolve_matter(
    book: RuleBook, matter: _Matter, now: str
) -> ResolvedKey | None:
    """Return the audit row of one key; None where everything stands as before, or is new."""
    everything = [*matter.old, *matter.new]
    if len(everything) < 2 or not matter.new:
        return None
    at = _moment(now, matter.new)
    before: dict[str, str] = {}
    if matter.old:
        standings = book.settle(matter.old, at=at, known_at=LATEST)
        before = {each.assertion.id: each.status for each in standings}
    after = book.settle(everything, at=at, known_at=LATEST)
    fallen = [each for each in after if _has_fallen(each, before)]
    if not fallen:
        return None
    return _row(book, everything, fallen, after)


def _has_fallen(standing: Standing, before: Mapping[str, str]) -> bool:
    """Tell whether a claim stands no more, and did before or is new; retractions never stood."""
    if standing.status not in _FALLEN or standing.assertion.mood == "retracted":
        return False
    return standing.status != before.get(standing.assertion.id)


def _list_winners(
    standings: Iterable[Standing], *, with_denials: bool
) -> list[Standing]:
    """Return what stands. A denial ends a value; otherwise it wins against nothing."""
    won = [each for each in standings if each.status == "active"]
    return [each for each in won if with_denials or not each.assertion.negated]


def _row(
    book: RuleBook,
    group: Sequence[RecordedClaim],
    fallen: Sequence[Standing],
    after: Resolution,
) -> ResolvedKey:
    first = min(fallen, key=lambda standing: _FALLEN.index(standing.status))
    disputed: list[Standing] = []
    if first.status == "disputed":
        disputed = [each for each in after if each.status == "disputed"]
    won = _list_winners(after, with_denials=first.status == "ended")
    lost = [each for each in fallen if each.status != "disputed"]
    return ResolvedKey(
        first.status,
        book.way(group).strategy,
        first.reason,
        _newest_ids(won),
        _newest_ids(lost),
        _newest_ids(disputed),
        name_open_question(after),
    )


def _newest_ids(standings: Iterable[Standing]) -> tuple[str, ...]:
    """Return one claim for each value, its newest."""
    newest: dict[str, str] = {}
    for standing in standings:
        newest[standing.assertion.value] = standing.assertion.id
    return tuple(newest.values())
