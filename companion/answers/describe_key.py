"""Describe one key of the claim ledger: how each claim of it stands, and what was so when."""

from collections.abc import Mapping, Sequence

from companion.annotations import TYPE_CHECKING
from companion.ledger.confidence import combine
from companion.ledger.resolve import RuleBook, holds
from companion.ledger.settlement import Standing
from companion.storage.index.tables import resolutions
from companion.storage.index.tables.claims import RecordedClaim

if TYPE_CHECKING:
    from companion.answers.results import (
        ClaimResult,
        KeyResult,
        ResolutionResult,
        SpellResult,
    )

_PAST = ("superseded", "retracted", "ended")


def describe_key(
    group: Sequence[RecordedClaim],
    book: RuleBook,
    at: str,
    known_at: str,
    *,
    history: bool,
) -> "KeyResult":
    by_id: dict[str, RecordedClaim] = {}
    names: dict[str, str] = {}
    for claim in group:
        by_id[claim.assertion.id] = claim
        names[claim.assertion.value] = claim.object
    standings = book.settle(group, at=at, known_at=known_at)
    values = {names[s.assertion.value] for s in standings if holds(s)}
    listed = [s for s in standings if history or s.status not in _PAST]
    plainest = _plainest(group)
    confidence = combine(standings)
    described = [
        _describe_claim(
            standing, by_id[standing.assertion.id], plainest, confidence
        )
        for standing in listed
    ]
    spells = resolved = None
    if history:
        spells = _list_spells(group, book, known_at, names)
        resolved = _list_resolutions(book, by_id, names)
    return {
        "subject": plainest.subject,
        "predicate": plainest.predicate,
        "key": list(plainest.assertion.key),
        "values": sorted(values),
        "disputed": any(s.status == "disputed" for s in standings),
        "strategy": book.way(group).strategy,
        "claims": described,
        "history": spells,
        "resolved": resolved,
    }


def _plainest(group: Sequence[RecordedClaim]) -> RecordedClaim:
    """Return the claim that names a matter best: the newest one told in the matter's own words."""
    for claim in reversed(group):
        if not claim.told_as:
            return claim
    return group[-1]


def _list_spells(
    group: Sequence[RecordedClaim],
    book: RuleBook,
    known_at: str,
    names: Mapping[str, str],
) -> "list[SpellResult]":
    """Return what stood when, as documents."""
    listed: list[SpellResult] = []
    for spell in book.list_spells(group, known_at=known_at):
        values = [names[value] for value in spell.values]
        listed.append({"from": spell.start, "to": spell.end, "values": values})
    return listed


def _list_resolutions(
    book: RuleBook, by_id: Mapping[str, RecordedClaim], names: Mapping[str, str]
) -> "list[ResolutionResult]":
    """Return what nights made of a key, the oldest first: the audit rows of its claims (LED-6)."""
    nights: dict[tuple[str, int], ResolutionResult] = {}
    for row in resolutions.list_resolutions(book.view.db, by_id):
        night = nights.setdefault(
            (row.run, row.matter), _describe_resolution(row)
        )
        claim = by_id.get(row.claim)
        value = None if claim is None else names[claim.assertion.value]
        night[row.side].append({"id": row.claim, "object": value})
    return list(nights.values())


def _describe_resolution(row: resolutions.ResolutionRow) -> "ResolutionResult":
    return {
        "run": row.run,
        "at": row.at,
        "status": row.status,
        "strategy": row.strategy,
        "reason": row.why,
        "won": [],
        "lost": [],
        "disputed": [],
    }


def _describe_claim(
    standing: Standing,
    claim: RecordedClaim,
    plainest: RecordedClaim,
    confidence: Mapping[str, float],
) -> "ClaimResult":
    assertion = standing.assertion
    return {
        "id": assertion.id,
        "status": standing.status,
        "reason": standing.reason,
        "by": list(standing.by),
        "predicate": claim.predicate,
        "read_as": plainest.predicate if claim.told_as else None,
        "object": claim.object,
        "negated": assertion.negated,
        "mood": assertion.mood,
        "functional": assertion.functional,
        "confidence": confidence.get(assertion.value, 0.0),
        "valid_from": assertion.valid_from,
        "valid_to": assertion.valid_to,
        "precision": assertion.precision,
        "told_at": assertion.told_at,
        "agent": assertion.agent or None,
        "source": assertion.source or None,
        "scope": assertion.scope,
        "capture": claim.capture,
        "entry": claim.entry or None,
        "span": list(claim.span),
    }
