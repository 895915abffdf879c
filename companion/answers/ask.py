"""`ask`: an answer from claims, at the time that the question means; where none answers, what notes
say of it (LED-15).

Every reading is tried in turn, the plain one first: a word that the plain reading owes an answer to
may be a time ("in March 2026"), or ask for what was so before. Superseded claims are looked at for
no other question.
"""

import sqlite3
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from companion.answers.budget import fit_into_budget
from companion.answers.claim_graph import ClaimGraph, question_words
from companion.answers.claims import answer_question, describe_step, open_index
from companion.answers.covers import Step
from companion.answers.passages import find_passages
from companion.answers.question import read_question
from companion.language.question_words import (
    question_language,
    read_question_data,
)
from companion.ledger.claims_of_key import list_claims_on_matter
from companion.ledger.resolve import RuleBook, open_rule_book
from companion.ledger.supersession import Spell
from companion.storage.index import isolation
from companion.storage.index.tables import claims
from companion.storage.journal.verdicts import Verdicts
from companion.values.claims import split_words
from companion.values.events import JsonDocument
from companion.values.time import LATEST
from companion.workspace import Workspace

_INSTANT = "%Y-%m-%dT%H:%M:%S.%fZ"


class _TimedQuestion(NamedTuple):
    """A question without its time."""

    question: str
    at: str


class _HistoricalQuestion(NamedTuple):
    """A question without what makes it historical."""

    question: str
    behind: list[str]  # the words behind "before"


def ask(
    ws: Workspace, question: str, *, as_of: str | None, budget: int
) -> JsonDocument:
    """Return the answer and its claims; not *known*: no answer, and the passages nearest to the
    question.

    Raises BadTime, and NotKnown where no night has read anything yet.
    """
    plain = answer_question(ws, question, as_of=as_of, budget=budget)
    if plain["known"]:
        return {**plain, "earlier": False, "passages": []}
    timed = _without_time(ws, question) if as_of is None else None
    if timed is not None:
        then = answer_question(
            ws, timed.question, as_of=timed.at, budget=budget
        )
        if then["known"]:
            return {
                **then,
                "question": question,
                "earlier": False,
                "passages": [],
            }
    db = open_index(ws)
    before = _answer_before(ws, db, question, as_of, budget)
    if before is not None:
        return {
            **before,
            "question": question,
            "known": True,
            "earlier": True,
            "passages": [],
        }
    return {
        "question": question,
        "as_of": as_of,
        **fit_into_budget([], budget),
        "known": False,
        "earlier": False,
        "passages": _nearest_passages(ws, db, question),
    }


def _nearest_passages(
    ws: Workspace, db: sqlite3.Connection, question: str
) -> list[JsonDocument]:
    words = question_words(question)
    with isolation.reading(db) as view:
        graph = ClaimGraph(open_rule_book(view), words, lambda group: LATEST)
        asked = read_question(question, graph.known, words)
    return find_passages(ws, db, question, asked)


# -- times in a question ---------------------------------------------------------------------------


def _without_time(ws: Workspace, question: str) -> _TimedQuestion | None:
    """Return *question* without the time that it names, and the last instant of that time."""
    from companion.language.times import calendar

    # word lists: only a question that nothing answers needs them
    from companion.language.times.phrases import time_reader

    reader = time_reader(question_language(split_words(question)))
    for mention in reader.mentions(question, calendar.parse_moment(ws.now())):
        is_plain_time = mention.role == "none" and not mention.loose
        if not is_plain_time and mention.role not in (
            "at",
            "as_of",
            "before",
            "until",
        ):
            continue
        edge = (
            mention.found.start
            if mention.role == "before"
            else mention.found.end
        )
        if edge is None:
            return None
        rest = question[: mention.start] + question[mention.end :]
        return _TimedQuestion(rest, _just_before(edge))
    return None


def _just_before(edge: datetime) -> str:
    return (edge.replace(tzinfo=None) - timedelta(microseconds=1)).strftime(
        _INSTANT
    )


# -- what was so before ----------------------------------------------------------------------------


def _answer_before(
    ws: Workspace,
    db: sqlite3.Connection,
    question: str,
    as_of: str | None,
    budget: int,
) -> JsonDocument | None:
    """Return what stood before what stands, or before the value that the question names behind
    "before"; None where the question does not ask for it, or nothing stood.
    """
    asked = _without_history(question)
    if asked is None:
        return None
    now = answer_question(ws, asked.question, as_of=as_of, budget=budget)
    if not now["known"]:
        return None
    with isolation.reading(db) as view:
        book = open_rule_book(view, Verdicts(ws.journal(), db))
        made = _earlier_answers(book, now["answers"][0], asked.behind)
    return (
        {"as_of": now["as_of"], **fit_into_budget(made, budget)}
        if made
        else None
    )


def _without_history(question: str) -> _HistoricalQuestion | None:
    """Return the question without what makes it historical; None: it is not."""
    data = read_question_data()[question_language(split_words(question))][
        "words"
    ]
    history, after = set(data["history"].split()), set(data["after"].split())
    kept: list[str] = []
    pieces = question.split()
    for place, piece in enumerate(pieces):
        said = "".join(split_words(piece))
        if said in after:
            return _HistoricalQuestion(
                " ".join(kept), split_words(" ".join(pieces[place + 1 :]))
            )
        if said not in history:
            kept.append(piece)
    return (
        _HistoricalQuestion(" ".join(kept), [])
        if len(kept) < len(pieces)
        else None
    )


def _earlier_answers(
    book: RuleBook, answer: JsonDocument, behind: Sequence[str]
) -> list[JsonDocument]:
    """Return *answer* with the values that stood before in place of its last value."""
    last = claims.of_id(book.view.db, answer["path"][-1]["sources"][0]["id"])
    if last is None:
        return []
    group = list_claims_on_matter(book.view.db, last.assertion.key)
    spell = _previous_spell(
        book.history(group, known_at=LATEST), last.assertion.value, behind
    )
    if spell is None:
        return []
    made = []
    for value in spell.values:
        by_id = {
            each.assertion.id: each
            for each in group
            if each.assertion.value == value and not each.assertion.negated
        }
        step = Step(last.assertion.key, last.predicate, value, tuple(by_id))
        shown = describe_step(step, by_id)
        path = [*answer["path"][:-1], shown]
        disputed = len(spell.values) > 1
        made.append(
            {
                **answer,
                "value": shown["object"],
                "path": path,
                "disputed": disputed,
            }
        )
    return made


def _previous_spell(
    spells: Sequence[Spell], value: str, behind: Sequence[str]
) -> Spell | None:
    """Return the last stretch with values before the one of *value*, or of one that the words
    *behind* name.
    """
    named = [
        place
        for place, spell in enumerate(spells)
        if _has_value_named(spell, behind)
    ]
    if behind and not named:
        return None
    held = [
        place for place, spell in enumerate(spells) if value in spell.values
    ]
    place = (named or held or [0])[-1]
    current = spells[place].values if spells else ()
    for spell in reversed(spells[:place]):
        if spell.values and spell.values != current:
            return spell
    return None


def _has_value_named(spell: Spell, behind: Sequence[str]) -> bool:
    return any(set(split_words(value)) & set(behind) for value in spell.values)
