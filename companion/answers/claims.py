"""Reads of the claim ledger: what is so, what was so, and what was believed when; answers from
claims (LED-2, LED-13).

Nothing of this is stored: a key's claims are resolved as they are read, so an answer is a function
of what was told.
"""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from companion.answers.budget import fit_into_budget
from companion.answers.claim_graph import (
    ClaimGraph,
    claims_of_name,
    question_words,
)
from companion.answers.context import Contexts
from companion.answers.covers import Chain, Step
from companion.answers.walk import find_chains
from companion.errors import CompanionError
from companion.language.question_words import build_question_tables
from companion.ledger.claims_of_key import group_by_key
from companion.ledger.private_view import show_to_owner
from companion.ledger.resolve import RuleBook, holds, open_rule_book
from companion.ledger.settlement import Standing
from companion.lookup.find import NothingFound, find_target
from companion.lookup.index import current_index
from companion.storage.index import isolation
from companion.storage.index.tables import claims, resolutions
from companion.storage.index.tables.claims import RecordedClaim
from companion.storage.journal.journal import Journal
from companion.storage.journal.verdicts import Verdicts
from companion.values.claims import split_words
from companion.values.events import JsonDocument
from companion.values.time import LATEST, parse_instant, reached
from companion.workspace import Workspace

_PAST = ("superseded", "retracted", "ended")


class NotKnown(CompanionError):
    """Nobody told this here."""

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
) -> JsonDocument:
    """Return what was told of *subject*, key by key, and how each claim stands.

    Raises NotKnown where nothing was told, and BadTime.
    """
    journal = ws.journal()
    db, now = open_index(ws, journal), ws.present(journal)
    known = parse_instant(known_at) if known_at else None
    with isolation.reading(db) as view:
        everything = _told_of(ws, db, journal, subject, known)
        wanted = [_wanted(group, predicate, known) for group in everything]
        groups = [group for group in wanted if group]
        if not groups:
            named = f"{subject}, {predicate}" if predicate else subject
            raise NotKnown(f"not known: {named}")
        at = _moment(now, as_of, (each for group in groups for each in group))
        book = open_rule_book(view, Verdicts(journal, db))
        keys = [
            _key(group, book, at, known or LATEST, history=history)
            for group in groups
        ]
    return {
        "subject": subject,
        "predicate": predicate,
        "as_of": at,
        "known_at": known,
        "keys": keys,
    }


def _wanted(
    group: Sequence[RecordedClaim], predicate: str | None, known: str | None
) -> list[RecordedClaim]:
    """Return what is known of a matter that any of its words call *predicate*; nothing else.

    All of the matter or nothing: a part of it would be a stale answer.
    """
    found = [
        each
        for each in group
        if known is None or each.assertion.told_at <= known
    ]
    if predicate is None:
        return found
    said = split_words(predicate)
    names = {each.assertion.key[1] for each in found} | {
        each.predicate for each in found
    }
    return found if any(split_words(name) == said for name in names) else []


def answer_question(
    ws: Workspace, question: str, *, as_of: str | None, budget: int
) -> JsonDocument:
    """Return the answers to *question* with the claims they rest on, within *budget* tokens.

    Where nothing was told that answers it, `known` is False and there are no answers. Raises
    BadTime, and NotKnown where no night has read anything yet.
    """
    journal = ws.journal()
    made = find_answers(
        ws, open_index(ws, journal), journal, question, as_of=as_of
    )
    at = parse_instant(as_of) if as_of else None
    packed = fit_into_budget(made, budget)
    return {"question": question, "as_of": at, **packed, "known": bool(made)}


def find_answers(
    ws: Workspace,
    db: sqlite3.Connection,
    journal: Journal,
    question: str,
    *,
    as_of: str | None,
) -> list[JsonDocument]:
    """Return the answers to *question*, the best first, each with its path; none: not known.

    Raises BadTime.
    """
    words, now = question_words(question), ws.present(journal)
    at = parse_instant(as_of) if as_of else None
    with isolation.reading(db) as view:
        book = open_rule_book(view, Verdicts(journal, db))
        graph = ClaimGraph(
            book, words, lambda group: at or _moment(now, None, group)
        )
        around = Contexts(ws, db, graph.seen)
        chains = find_chains(question, graph.known, graph.facts, words, around)
    return [_describe_chain(chain, graph.seen) for chain in chains]


def open_index(
    ws: Workspace, journal: Journal | None = None
) -> sqlite3.Connection:
    """Return the index as who asks may read it. Raises NotKnown where no night has built it."""
    journal = journal or ws.journal()
    db = show_to_owner(ws, journal, current_index(ws, journal))
    if db is None:
        raise NotKnown(
            "not known: no night has read anything yet",
            hint="`companion consolidate` reads your notes.",
        )
    return db


def _moment(now: str, as_of: str | None, found: Iterable[RecordedClaim]) -> str:
    """Return the instant asked for; none: the present, as what was told moves it."""
    if as_of is not None:
        return parse_instant(as_of)
    return reached(now, (each.assertion.told_at for each in found))


def _told_of(
    ws: Workspace,
    db: sqlite3.Connection,
    journal: Journal,
    subject: str,
    known_at: str | None,
) -> list[list[RecordedClaim]]:
    """Return what was told of *subject*, key by key; things that share a name are kept apart."""
    said = split_words(subject)
    language = build_question_tables(said)
    if len(said) == 1 and said[0] in language["me"]:
        said = ["me"]
    found = claims_of_name(db, " ".join(said), known_at)
    if not found and said and said[0] in language["stop"]:
        found = claims_of_name(db, " ".join(said[1:]), known_at)
    return found or _told_by_page(ws, db, journal, subject, known_at)


def _told_by_page(
    ws: Workspace,
    db: sqlite3.Connection,
    journal: Journal,
    page: str,
    known_at: str | None,
) -> list[list[RecordedClaim]]:
    """Return what a page tells, by its name or id, key by key; nothing where there is none."""
    try:
        kind, id = find_target(ws, db, journal, page)
    except NothingFound:
        return []
    if kind != "entry":
        return []
    found = claims.of_entry(db, id, known_at=known_at)
    return group_by_key(found, whole=True, known_at=known_at)


# -- one key as a document -------------------------------------------------------------------------


def _key(
    group: Sequence[RecordedClaim],
    book: RuleBook,
    at: str,
    known_at: str,
    *,
    history: bool,
) -> JsonDocument:
    by_id = {each.assertion.id: each for each in group}
    standings = book.settle(group, at=at, known_at=known_at)
    plainest = _plainest(group)
    names = {each.assertion.value: each.object for each in group}
    listed = [s for s in standings if history or s.status not in _PAST]
    return {
        "subject": plainest.subject,
        "predicate": plainest.predicate,
        "key": list(plainest.assertion.key),
        "values": sorted(
            {names[s.assertion.value] for s in standings if holds(s)}
        ),
        "disputed": any(s.status == "disputed" for s in standings),
        "strategy": book.way(group).strategy,
        "claims": [
            _describe_claim(s, by_id[s.assertion.id], plainest) for s in listed
        ],
        "history": _list_spells(group, book, known_at, names)
        if history
        else None,
        "resolved": _list_resolutions(book, by_id, names) if history else None,
    }


def _plainest(group: Sequence[RecordedClaim]) -> RecordedClaim:
    """Return what names a matter best: told in its own words, the newest."""
    return next(
        (each for each in reversed(group) if not each.told_as), group[-1]
    )


def _list_spells(
    group: Sequence[RecordedClaim],
    book: RuleBook,
    known_at: str,
    names: Mapping[str, str],
) -> list[JsonDocument]:
    """Return what stood when, as documents."""
    listed = []
    for spell in book.history(group, known_at=known_at):
        values = [names[value] for value in spell.values]
        listed.append({"from": spell.start, "to": spell.end, "values": values})
    return listed


def _list_resolutions(
    book: RuleBook, by_id: Mapping[str, RecordedClaim], names: Mapping[str, str]
) -> list[JsonDocument]:
    """Return what nights made of a key, the oldest first: the audit rows of its claims (LED-6)."""
    made: dict[tuple[str, int], JsonDocument] = {}
    for row in resolutions.of_claims(book.view.db, by_id):
        night = made.get((row.run, row.matter))
        if night is None:
            night = {
                "run": row.run,
                "at": row.at,
                "status": row.status,
                "strategy": row.strategy,
                "reason": row.why,
                "won": [],
                "lost": [],
                "disputed": [],
            }
            made[row.run, row.matter] = night
        said = by_id.get(row.claim)
        value = None if said is None else names[said.assertion.value]
        night[row.side].append({"id": row.claim, "object": value})
    return list(made.values())


def _describe_claim(
    standing: Standing, each: RecordedClaim, plainest: RecordedClaim
) -> JsonDocument:
    assertion = standing.assertion
    return {
        "id": assertion.id,
        "status": standing.status,
        "reason": standing.reason,
        "by": list(standing.by),
        "predicate": each.predicate,
        "read_as": plainest.predicate if each.told_as else None,
        "object": each.object,
        "negated": assertion.negated,
        "mood": assertion.mood,
        "functional": assertion.functional,
        "confidence": assertion.confidence,
        "valid_from": assertion.valid_from,
        "valid_to": assertion.valid_to,
        "precision": assertion.precision,
        "told_at": assertion.told_at,
        "agent": assertion.agent or None,
        "source": assertion.source or None,
        "scope": assertion.scope,
        "capture": each.capture,
        "entry": each.entry or None,
        "span": list(each.span),
    }


# -- one answer as a document ----------------------------------------------------------------------


def _describe_chain(
    chain: Chain, seen: Mapping[str, RecordedClaim]
) -> JsonDocument:
    return {
        "value": _answered_value(chain, seen),
        "score": chain.score,
        "disputed": any(step.disputed for step in chain.steps),
        "path": [describe_step(step, seen) for step in chain.steps],
    }


def _answered_value(chain: Chain, seen: Mapping[str, RecordedClaim]) -> str:
    last = chain.steps[-1]
    if chain.dated and last.when is not None:
        return last.when
    first = seen[last.ids[0]]
    return first.subject if last.inverse else first.object


def describe_step(
    step: Step, seen: Mapping[str, RecordedClaim]
) -> JsonDocument:
    """Return one step with the notes that tell it."""
    first = seen[step.ids[0]]
    return {
        "subject": first.subject,
        "predicate": first.predicate,
        "object": first.object,
        "sources": [_describe_source(id, seen[id]) for id in step.ids],
    }


def _describe_source(id: str, said: RecordedClaim) -> JsonDocument:
    return {
        "id": id,
        "capture": said.capture,
        "told_at": said.assertion.told_at,
        "source": said.assertion.source or None,
    }
