"""Read the claim ledger: what is so, what was so, what was believed when, and answers from claims
(LED-2, LED-13).

No answer is stored. The claims of a key are resolved as they are read, so an answer depends only on
what was told.
"""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from companion.annotations import TYPE_CHECKING
from companion.answers.asked import Asked, Tense, read_asked
from companion.answers.chains.claim_graph import (
    MOMENTS,
    ClaimGraph,
    claims_of_asker,
    claims_of_name,
)
from companion.answers.chains.context import Contexts, ReadPage
from companion.answers.chains.covers import Chain, Step
from companion.answers.chains.told_time import (
    find_dated,
    keep_asked_side,
    say_time_as_told,
)
from companion.answers.chains.walk import find_chains
from companion.answers.known import (
    NotKnown,
    open_index,
    pack_answers,
    parse_optional,
)
from companion.language.words.question_words import build_question_tables
from companion.ledger.claims_of_key import group_by_key
from companion.ledger.resolve import open_rule_book
from companion.lookup.read_page import read_page_bytes
from companion.storage.index import isolation
from companion.storage.index.tables import claims
from companion.storage.index.tables.claims import RecordedClaim
from companion.storage.journal.journal import Journal
from companion.storage.journal.verdicts import Verdicts
from companion.values.captures import OWNER
from companion.values.claims import split_words
from companion.values.time import LATEST, parse_instant, reached
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.answers.results import (
        AnswerResult,
        ClaimsResult,
        PlainAnswer,
        SourceResult,
        StepResult,
    )

_PAST = ("superseded", "retracted", "ended")


def read_claims(
    ws: Workspace,
    subject: str,
    predicate: str | None,
    *,
    as_of: str | None,
    known_at: str | None,
    history: bool,
) -> "ClaimsResult":
    """Return what was told of *subject*, key by key, and how each claim stands.

    Raises NotKnown where nothing was told, and BadTime.
    """
    # `ask` does without
    from companion.answers.describe_key import describe_key

    journal = ws.journal()
    db = open_index(ws, journal)
    now = ws.present(journal)
    known = parse_optional(known_at)
    with isolation.reading(db) as view:
        groups: list[list[RecordedClaim]] = []
        told: list[RecordedClaim] = []
        for group in _find_claims_about(ws, db, journal, subject, known):
            selected = _select_claims(group, predicate, known)
            if selected:
                groups.append(selected)
                told += selected
        if not groups:
            matter = f"{subject}, {predicate}" if predicate else subject
            raise NotKnown(f"not known: {matter}")
        at = _moment(now, as_of, told)
        book = open_rule_book(view, Verdicts(journal, db))
        keys = [
            describe_key(group, book, at, known or LATEST, history=history)
            for group in groups
        ]
    return {
        "subject": subject,
        "predicate": predicate,
        "as_of": at,
        "known_at": known,
        "keys": keys,
    }


def _select_claims(
    group: Sequence[RecordedClaim], predicate: str | None, known: str | None
) -> list[RecordedClaim]:
    """Return the claims of *group* told until *known*, if one of them calls the matter *predicate*;
    else none.

    It is all of the matter or nothing: a part of it would be a stale answer.
    """
    claims_then = [
        claim
        for claim in group
        if known is None or claim.assertion.told_at <= known
    ]
    if predicate is None:
        return claims_then
    wanted = split_words(predicate)
    for claim in claims_then:
        names = (claim.assertion.key[1], claim.predicate)
        if any(split_words(name) == wanted for name in names):
            return claims_then
    return []


def answer_question(
    ws: Workspace, question: str, *, as_of: str | None, budget: int
) -> "PlainAnswer":
    """Return the answers to *question* with the claims they rest on, within *budget* tokens.

    Where nothing was told that answers it, `known` is False and there are no answers. Raises
    BadTime, and NotKnown where no night has read anything yet.
    """
    journal = ws.journal()
    db = open_index(ws, journal)
    asked = read_asked(db, question)
    answers = find_answers(ws, db, journal, asked, as_of=as_of)
    return pack_answers(question, answers, as_of=as_of, budget=budget)


def find_answers(
    ws: Workspace,
    db: sqlite3.Connection,
    journal: Journal,
    asked: Asked,
    *,
    as_of: str | None,
    tense: Tense = "present",
) -> "list[AnswerResult]":
    """Return the answers to what is *asked*, the best first, each with its path; none: not known.

    Raises BadTime.
    """
    return answer_from(
        db,
        asked,
        at=parse_optional(as_of),
        now=ws.present(journal),
        read=partial(read_page_bytes, ws),
        who=ws.who,
        log=Verdicts(journal, db),
        tense=tense,
    )


def answer_from(
    db: sqlite3.Connection,
    asked: Asked,
    *,
    at: str | None,
    now: str,
    read: ReadPage,
    who: str = OWNER,
    log: Verdicts | None = None,
    tense: Tense = "present",
) -> "list[AnswerResult]":
    """Return the answers that the index *db* has to what is *asked*, at the instant *at* or *now*.

    *read* gives the bytes of a page, and *log* the answers that no ledger file has yet. In another
    *tense* a matter is asked as of when it was last so, or when it will be next.
    """
    if not asked.question.names:
        return []  # a chain begins at a name
    latest = MOMENTS[tense]
    with isolation.reading(db) as view:
        book = open_rule_book(view, log)
        graph = ClaimGraph(
            book,
            asked.words,
            lambda group: at or latest(now, group),
            who,
            denied=asked.denied,
        )
        around = Contexts(read, db, graph.seen)
        chains = find_chains(asked.question, graph.facts, asked.words, around)
    if asked.denied:
        chains = [chain for chain in chains if len(chain.steps) == 1]
    chains = keep_asked_side(chains, asked.question, graph.seen, at or now)
    return [_describe_chain(chain, graph.seen, around, now) for chain in chains]


def _moment(now: str, as_of: str | None, told: Iterable[RecordedClaim]) -> str:
    """Return the instant asked for; without one the present, no earlier than what was *told*."""
    if as_of is not None:
        return parse_instant(as_of)
    return reached(now, (claim.assertion.told_at for claim in told))


def _find_claims_about(
    ws: Workspace,
    db: sqlite3.Connection,
    journal: Journal,
    subject: str,
    known_at: str | None,
) -> list[list[RecordedClaim]]:
    """Return what was told of *subject*, key by key; things that share a name are kept apart."""
    name = split_words(subject)
    language = build_question_tables(name)
    if len(name) == 1 and name[0] in language["me"]:
        name = ["me"]
    groups = claims_of_asker(db, " ".join(name), ws.who, known_at)
    if not groups and name and name[0] in language["stop"]:
        groups = claims_of_name(db, " ".join(name[1:]), known_at)
    return groups or _find_claims_of_page(ws, db, journal, subject, known_at)


def _find_claims_of_page(
    ws: Workspace,
    db: sqlite3.Connection,
    journal: Journal,
    page: str,
    known_at: str | None,
) -> list[list[RecordedClaim]]:
    """Return what a page tells, by its name or id, key by key; nothing where there is none."""
    from companion.lookup.find import NothingFound, find_target

    try:
        kind, id = find_target(ws, db, journal, page)
    except NothingFound:
        return []
    if kind != "entry":
        return []
    told = claims.list_claims_of_entry(db, id, known_at=known_at)
    return group_by_key(told, whole=True, known_at=known_at)


# -- one answer as a document ----------------------------------------------------------------------


def _describe_chain(
    chain: Chain,
    seen: Mapping[str, RecordedClaim],
    around: Contexts,
    now: str,
) -> "AnswerResult":
    return {
        "value": _answered_value(chain, seen, around, now),
        "score": chain.score,
        "disputed": any(step.disputed for step in chain.steps),
        "path": [describe_step(step, seen) for step in chain.steps],
    }


def _answered_value(
    chain: Chain,
    seen: Mapping[str, RecordedClaim],
    around: Contexts,
    now: str,
) -> str:
    last = chain.steps[-1]
    if chain.dated and last.when is not None:
        return _say_when(last, seen, around, now)
    first = seen[last.ids[0]]
    value = first.subject if last.inverse else first.object
    if not chain.hourly:
        return value
    return f"{_say_when(last, seen, around, now)}, {value}"


def _say_when(
    step: Step,
    seen: Mapping[str, RecordedClaim],
    around: Contexts,
    now: str,
) -> str:
    """Return since when the value of *step* stands, if possible in the words of its note."""
    claim = find_dated(step.ids, seen)
    told = say_time_as_told(claim, around.read_note(claim), now)
    return told or str(step.when)


def describe_step(
    step: Step, seen: Mapping[str, RecordedClaim]
) -> "StepResult":
    """Return one step with the notes that tell it; "not" stands before a value that they deny, as
    in what `claims` shows.
    """
    first = seen[step.ids[0]]
    denial = "not " if first.assertion.negated else ""
    return {
        "subject": first.subject,
        "predicate": first.predicate,
        "object": f"{denial}{first.object}",
        "sources": [_describe_source(id, seen[id]) for id in step.ids],
    }


def _describe_source(id: str, claim: RecordedClaim) -> "SourceResult":
    return {
        "id": id,
        "capture": claim.capture,
        "entry": claim.entry or None,
        "told_at": claim.assertion.told_at,
        "source": claim.assertion.source or None,
    }
