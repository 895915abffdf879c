"""`ask`: an answer from claims, at the time that the question means; where none answers, what notes
say of it (LED-15).

Every reading is tried in turn, the plain one first: a word that the plain reading owes an answer to
may be a time ("in March 2026"), or ask for what was so before. Superseded claims are looked at for
no other question.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from companion.answers.budget import fit_into_budget
from companion.answers.claim_graph import ClaimGraph, question_words
from companion.answers.claims import NotKnown, answer_question, describe_step, open_index
from companion.answers.covers import Step
from companion.answers.passages import find_passages
from companion.answers.question import read_question
from companion.language import question_words as language
from companion.ledger.claims_of_key import claims_on_matter
from companion.ledger.resolve import RuleBook, open_rule_book
from companion.ledger.supersession import Spell
from companion.storage.index import isolation
from companion.storage.index.tables import claims
from companion.storage.index.tables.verdicts import Verdicts
from companion.values.claims import words as words_of
from companion.workspace import Workspace

_LATEST = "9999-12-31T23:59:59.999999Z"
_INSTANT = "%Y-%m-%dT%H:%M:%S.%fZ"


class _Timed(NamedTuple):
    """A question without its time."""

    question: str
    at: str


def ask(ws: Workspace, question: str, *, as_of: str | None, budget: int) -> dict[str, Any]:
    """Return the answer and its claims; not *known*: no answer, and the passages nearest to the
    question.

    Raises BadTime, and NotKnown where no night has read anything yet.
    """
    try:
        plain = answer_question(ws, question, as_of=as_of, budget=budget)
        return {**plain, "known": True, "earlier": False, "passages": []}
    except NotKnown:
        db = open_index(ws)
    earlier, found = False, None
    timed = _timed(ws, question) if as_of is None else None
    if timed is not None:
        found = _answered(ws, timed.question, timed.at, budget)
    if found is None:
        earlier, found = True, _before(ws, db, question, as_of, budget)
    if found is not None:
        return {**found, "question": question, "known": True, "earlier": earlier, "passages": []}
    nothing, near = fit_into_budget([], budget), _near(ws, db, question)
    return {
        "question": question,
        "as_of": as_of,
        **nothing,
        "known": False,
        "earlier": False,
        "passages": near,
    }


def _answered(
    ws: Workspace, question: str, as_of: str | None, budget: int
) -> dict[str, Any] | None:
    try:
        return answer_question(ws, question, as_of=as_of, budget=budget)
    except NotKnown:
        return None


def _near(ws: Workspace, db: sqlite3.Connection, question: str) -> list[dict[str, Any]]:
    words = question_words(question)
    with isolation.reading(db) as view:
        graph = ClaimGraph(open_rule_book(view), words, lambda group: _LATEST)
        asked = read_question(question, graph.known, words)
    return find_passages(ws, db, question, asked)


# -- times in a question ---------------------------------------------------------------------------


def _timed(ws: Workspace, question: str) -> _Timed | None:
    """Return *question* without the time that it names, and the last instant of that time."""
    from companion.language.times import calendar as times

    # word lists: only a question that nothing answers needs them
    from companion.language.times.phrases import time_reader

    tongue = language.language_of(words_of(question))
    for mention in time_reader(tongue).mentions(question, times.parse_moment(ws.now())):
        if mention.role in ("at", "as_of", "before", "until") or (
            mention.role == "none" and not mention.loose
        ):
            edge = mention.found.start if mention.role == "before" else mention.found.end
            rest = question[: mention.start] + question[mention.end :]
            return None if edge is None else _Timed(rest, _just_before(edge))
    return None


def _just_before(edge: datetime) -> str:
    return (edge.replace(tzinfo=None) - timedelta(microseconds=1)).strftime(_INSTANT)


# -- what was so before ----------------------------------------------------------------------------


def _before(
    ws: Workspace, db: sqlite3.Connection, question: str, as_of: str | None, budget: int
) -> dict[str, Any] | None:
    """Return what stood before what stands, or before the value that the question names behind
    "before".
    """
    parts = _parted(question)
    doc = _answered(ws, parts[0], as_of, budget) if parts is not None else None
    if parts is None or doc is None:
        return None
    with isolation.reading(db) as view:
        book = open_rule_book(view, Verdicts(ws.journal(), db))
        made = [each for answer in doc["answers"][:1] for each in _earlier(book, answer, parts[1])]
    return {"as_of": doc["as_of"], **fit_into_budget(made, budget)} if made else None


def _parted(question: str) -> tuple[str, list[str]] | None:
    """Return the question without what makes it historical, and the words behind "before"; None: it
    is not.
    """
    data = language.languages()[language.language_of(words_of(question))]["words"]
    history, after = set(data["history"].split()), set(data["after"].split())
    kept: list[str] = []
    pieces = question.split()
    for place, piece in enumerate(pieces):
        said = "".join(words_of(piece))
        if said in after:
            return " ".join(kept), words_of(" ".join(pieces[place + 1 :]))
        if said not in history:
            kept.append(piece)
    return (" ".join(kept), []) if len(kept) < len(pieces) else None


def _earlier(
    book: RuleBook, answer: Mapping[str, Any], behind: Sequence[str]
) -> list[dict[str, Any]]:
    last = claims.of_id(book.view.db, answer["path"][-1]["sources"][0]["id"])
    if last is None:
        return []
    group = claims_on_matter(book.view.db, last.assertion.key)
    spells = book.history(group, known_at=_LATEST)
    spell = _previous(spells, last.assertion.value, behind)
    disputed = spell is not None and len(spell.values) > 1
    made: list[dict[str, Any]] = []
    for value in spell.values if spell is not None else ():
        told = [
            each for each in group if each.assertion.value == value and not each.assertion.negated
        ]
        step = Step(
            last.assertion.key, last.predicate, value, tuple(each.assertion.id for each in told)
        )
        shown = describe_step(step, {each.assertion.id: each for each in told})
        path = [*answer["path"][:-1], shown]
        made.append({**answer, "value": shown["object"], "path": path, "disputed": disputed})
    return made


def _previous(spells: Sequence[Spell], value: str, behind: Sequence[str]) -> Spell | None:
    """Return the last stretch with values before the one of *value*, or of one that the words
    *behind* name.
    """
    named = [
        n
        for n, spell in enumerate(spells)
        if any(set(words_of(v)) & set(behind) for v in spell.values)
    ]
    held = [n for n, spell in enumerate(spells) if value in spell.values]
    if behind and not named:
        return None
    place = (named or held or [0])[-1]
    now = spells[place].values if spells else ()
    return next(
        (spell for spell in reversed(spells[:place]) if spell.values and spell.values != now), None
    )
