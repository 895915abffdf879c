"""Reads of the claim ledger: what is so, what was so, and what was believed when; answers from
claims (LED-2, LED-13).

Nothing of this is stored: a key's claims are resolved as they are read, so an answer is a function
of what was told.
"""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.answers.budget import fit_into_budget
from companion.answers.claim_graph import ClaimGraph, claims_of_name, question_words
from companion.answers.context import Contexts
from companion.answers.covers import Chain, Step
from companion.answers.walk import find_chains
from companion.errors import CompanionError
from companion.language import question_words as language
from companion.ledger.claims_of_key import group_by_key
from companion.ledger.private_view import show_to_owner
from companion.ledger.resolve import RuleBook, holds, open_rule_book
from companion.ledger.supersession import Standing
from companion.lookup import index as reads
from companion.storage.index import isolation
from companion.storage.index.tables import claims, resolutions
from companion.storage.index.tables.claims import Stated
from companion.storage.index.tables.verdicts import Verdicts
from companion.storage.journal.journal import Journal
from companion.values import time as times
from companion.values.claims import words as words_of
from companion.workspace import Workspace

_LATEST = "9999-12-31T23:59:59.999999Z"


class NotKnown(CompanionError):
    """Not known: nobody told it here."""

    exit_code = 1
    hint = "`companion search` finds what notes say of it in other words."


def read_claims(
    ws: Workspace,
    subject: str,
    predicate: str | None,
    *,
    as_of: str | None,
    known_at: str | None,
    history: bool,
) -> dict[str, Any]:
    """Return what was told of *subject*, key by key, and how each claim stands. Raises NotKnown or
    BadTime.
    """
    journal = ws.journal()
    db, now = open_index(ws, journal), ws.present(journal)
    known = times.parse_instant(known_at) if known_at else None
    with isolation.reading(db) as view:
        all_told = _told_of(ws, db, journal, subject, known)
        groups = [wanted for group in all_told if (wanted := _wanted(group, predicate, known))]
        if not groups:
            raise NotKnown(f"not known: {subject}" + (f", {predicate}" if predicate else ""))
        at = _moment(now, as_of, (each for group in groups for each in group))
        book = open_rule_book(view, Verdicts(journal, db))
        keys = [_key(group, book, at, known or _LATEST, history=history) for group in groups]
    return {
        "subject": subject,
        "predicate": predicate,
        "as_of": at,
        "known_at": known,
        "keys": keys,
    }


def _wanted(group: Sequence[Stated], predicate: str | None, known: str | None) -> list[Stated]:
    """Return what is known of a matter that any of its words call *predicate*: a part of it would
    be a stale answer.
    """
    found = [each for each in group if known is None or each.assertion.told_at <= known]
    if predicate is None:
        return found
    said = words_of(predicate)
    names = {name for each in found for name in (each.assertion.key[1], each.predicate)}
    return found if any(words_of(name) == said for name in names) else []


def answer_question(
    ws: Workspace, question: str, *, as_of: str | None, budget: int
) -> dict[str, Any]:
    """Answer *question* from what was told, with the claims it rests on. Raises NotKnown or
    BadTime.
    """
    journal = ws.journal()
    made = find_answers(ws, open_index(ws, journal), journal, question, as_of=as_of)
    at = times.parse_instant(as_of) if as_of else None
    return {"question": question, "as_of": at, **fit_into_budget(made, budget)}


def find_answers(
    ws: Workspace, db: sqlite3.Connection, journal: Journal, question: str, *, as_of: str | None
) -> list[dict[str, Any]]:
    """Return the answers to *question*, the best first, each with its path. Raises NotKnown or
    BadTime.
    """
    words, now = question_words(question), ws.present(journal)
    at = times.parse_instant(as_of) if as_of else None
    with isolation.reading(db) as view:
        book = open_rule_book(view, Verdicts(journal, db))
        graph = ClaimGraph(book, words, lambda group: at or _moment(now, None, group))
        said = Contexts(ws, db, graph.seen)
        found = find_chains(question, graph.known, graph.facts, words, said)
    if not found:
        raise NotKnown(f"not known: {question}")
    return [_chain(chain, graph.seen) for chain in found]


def open_index(ws: Workspace, journal: Journal | None = None) -> sqlite3.Connection:
    """Open the index as who asks may read it. Raises NotKnown where no night has built it."""
    journal = journal or ws.journal()
    db = show_to_owner(ws, journal, reads.current_index(ws, journal))
    if db is None:
        raise NotKnown(
            "not known: no night has read anything yet",
            hint="`companion consolidate` reads your notes.",
        )
    return db


def _moment(now: str, as_of: str | None, found: Iterable[Stated]) -> str:
    """Return the instant asked for; none: the present, as what was told moves it."""
    if as_of is not None:
        return times.parse_instant(as_of)
    return times.reached(now, (each.assertion.told_at for each in found))


def _told_of(
    ws: Workspace, db: sqlite3.Connection, journal: Journal, subject: str, known_at: str | None
) -> list[list[Stated]]:
    """Return what was told of *subject*, key by key; things that share a name are kept apart."""
    said = words_of(subject)
    tables = language.tables(words_of(subject))
    if len(said) == 1 and said[0] in tables["me"]:
        said = ["me"]
    found = claims_of_name(db, " ".join(said), known_at)
    if not found and said and said[0] in tables["stop"]:
        found = claims_of_name(db, " ".join(said[1:]), known_at)
    if found:
        return found
    try:
        kind, id = reads.find(ws, db, journal, subject)
    except reads.NothingFound:
        return []
    return (
        group_by_key(claims.of_entry(db, id, known_at=known_at), whole=True, known_at=known_at)
        if kind == "entry"
        else []
    )


def _key(
    group: Sequence[Stated], book: RuleBook, at: str, known_at: str, *, history: bool
) -> dict[str, Any]:
    by_id = {each.assertion.id: each for each in group}
    standings = book.settle(group, at=at, known_at=known_at)
    last = _plainest(group)
    names = {each.assertion.value: each.object for each in group}
    spells = (
        [
            {
                "from": spell.start,
                "to": spell.end,
                "values": [names[value] for value in spell.values],
            }
            for spell in book.history(group, known_at=known_at)
        ]
        if history
        else None
    )
    return {
        "subject": last.subject,
        "predicate": last.predicate,
        "key": list(last.assertion.key),
        "values": sorted({names[s.assertion.value] for s in standings if holds(s)}),
        "disputed": any(s.status == "disputed" for s in standings),
        "strategy": book.way(group).strategy,
        "claims": [
            _claim(s, by_id[s.assertion.id], last)
            for s in standings
            if history or s.status not in _PAST
        ],
        "history": spells,
        "resolved": _resolved(book, by_id, names) if history else None,
    }


def _plainest(group: Sequence[Stated]) -> Stated:
    """Return what names a matter best: told in its own words, the newest."""
    return next((each for each in reversed(group) if not each.told_as), group[-1])


def _resolved(
    book: RuleBook, by_id: Mapping[str, Stated], names: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Return what nights made of a key, the oldest first: the audit rows of its claims (LED-6)."""
    made: dict[tuple[str, int], dict[str, Any]] = {}
    for row in resolutions.of_claims(book.view.db, by_id):
        kept = {
            "run": row.run,
            "at": row.at,
            "status": row.status,
            "strategy": row.strategy,
            "reason": row.why,
        }
        night = made.setdefault(
            (row.run, row.matter), {**kept, "won": [], "lost": [], "disputed": []}
        )
        said = by_id.get(row.claim)
        night[row.side].append(
            {"id": row.claim, "object": None if said is None else names[said.assertion.value]}
        )
    return list(made.values())


_PAST = ("superseded", "retracted", "ended")


def _claim(standing: Standing, each: Stated, plainest: Stated) -> dict[str, Any]:
    a = standing.assertion
    return {
        "id": a.id,
        "status": standing.status,
        "reason": standing.reason,
        "by": list(standing.by),
        "predicate": each.predicate,
        "read_as": plainest.predicate if each.told_as else None,
        "object": each.object,
        "negated": a.negated,
        "mood": a.mood,
        "functional": a.functional,
        "confidence": a.confidence,
        "valid_from": a.valid_from,
        "valid_to": a.valid_to,
        "precision": a.precision,
        "told_at": a.told_at,
        "agent": a.agent or None,
        "source": a.source or None,
        "scope": a.scope,
        "capture": each.capture,
        "entry": each.entry or None,
        "span": list(each.span),
    }


def _chain(chain: Chain, seen: Mapping[str, Stated]) -> dict[str, Any]:
    return {
        "value": _answered(chain, seen),
        "score": chain.score,
        "disputed": any(step.disputed for step in chain.steps),
        "path": [describe_step(step, seen) for step in chain.steps],
    }


def _answered(chain: Chain, seen: Mapping[str, Stated]) -> str:
    last = chain.steps[-1]
    if chain.dated and last.when is not None:
        return last.when
    first = seen[last.ids[0]]
    return first.subject if last.inverse else first.object


def describe_step(step: Step, seen: Mapping[str, Stated]) -> dict[str, Any]:
    """Return one step with the notes that tell it."""
    first = seen[step.ids[0]]
    sources = [
        {
            "id": id,
            "capture": seen[id].capture,
            "told_at": seen[id].assertion.told_at,
            "source": seen[id].assertion.source or None,
        }
        for id in step.ids
    ]
    return {
        "subject": first.subject,
        "predicate": first.predicate,
        "object": first.object,
        "sources": sources,
    }
