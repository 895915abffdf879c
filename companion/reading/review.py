"""`review`: what awaits an answer of a person or an agent, and their answers.

An answer is a verdict like a judge's: logged at once, exported with the next run, and weighed
there. It may lift a quarantine, or bring one about; it never closes a branch (INV-4) and never
touches a text.
"""

import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING, get_args

from companion.comparison.consistency import Choice
from companion.errors import BadInput, CompanionError
from companion.judges.ask import question_key
from companion.language.protocols import Identity
from companion.ledger.explain import (
    KIND,
    describe_claims,
    find_claim_ids,
    is_dispute_open,
    list_claims_to_choose_from,
    replace_ids,
)
from companion.ledger.person_answers import (
    ENTRY_ID_LENGTH,
    list_answers_in_force,
)
from companion.ledger.resolve import REVIEW
from companion.lookup.index import current_index
from companion.reading.show import show_capture, show_entry
from companion.storage.git.repo import Repo
from companion.storage.index.tables import routing
from companion.storage.index.tables.entries import find_entry
from companion.storage.index.tables.questions import (
    GivenAnswer,
    Question,
    list_questions,
)
from companion.storage.journal.journal import TRUSTED, Journal
from companion.storage.journal.verdicts import Logged, Verdicts
from companion.values import time as times
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.ledger.results import (
        ClaimChoice,
    )
    from companion.reading.results import (
        QuestionList,
        QuestionResult,
        QuestionWithSides,
        QueuedAudit,
        Side,
        SideResult,
    )
    from companion.values.results import (
        Named,
    )

CHOICES: tuple[str, ...] = get_args(Choice)


class NoSuchQuestion(CompanionError):
    """No question of that name is open or was answered."""

    exit_code = 1
    hint = "`companion review` lists what awaits an answer."


class WrongAnswer(BadInput):
    """That is no answer to this question."""

    exit_code = 2
    hint = "`companion review show ID` names what can be chosen."


def list_review(ws: Workspace, *, all: bool = False) -> "QuestionList":
    """Return the questions that await an answer, with *all* the answered ones too, and what awaits
    an audit.
    """
    db, log = _open(ws)
    given = list_answers_in_force(db, log)
    waiting = [
        flag
        for flag in list_questions(db)
        if all or (flag.id not in given and not _is_over(db, log, flag, ws))
    ]
    items = [_item(db, log, flag, given.get(flag.id)) for flag in waiting]
    queue: list[QueuedAudit] = [
        {
            "entry": _named(db, each.entry),
            "row": each.row,
            "run": each.run,
            "since": each.since,
            "reason": each.reason,
        }
        for each in routing.list_queued(db)
    ]
    return {
        "items": items,
        "open": sum(item["answer"] is None for item in items),
        "queue": queue,
    }


def show_question(ws: Workspace, target: str) -> "QuestionWithSides":
    """Return one question with both sides: their text, where it comes from, and what depends on
    it.
    """
    db, log = _open(ws)
    flag = _find(db, target)
    sides = (
        []
        if flag.kind == KIND
        else [_side(ws, db, kind, id) for kind, id in _sides(flag)]
    )
    return {
        **_item(db, log, flag, list_answers_in_force(db, log).get(flag.id)),
        "sides": sides,
    }


def answer_question(
    ws: Workspace, target: str, choice: str, *, agent: str | None = None
) -> "QuestionWithSides":
    """Log an answer, durably; the next `consolidate` weighs it. The last one given counts."""
    assert choice in CHOICES
    db, log = _open(ws)
    flag = _find(db, target)
    if flag.kind == KIND:
        raise WrongAnswer(
            "claims dispute each other: say which is so, by `review prefer ID CLAIM`"
        )
    return _answer(ws, db, log, flag, {"choice": choice}, agent)


def prefer_claim(
    ws: Workspace, target: str, claim: str, *, agent: str | None = None
) -> "QuestionWithSides":
    """Log which of several claims is so; reads go by it from now on, until something new is
    told.
    """
    db, log = _open(ws)
    flag = _find(db, target)
    found = [
        each["id"]
        for each in list_claims_to_choose_from(db, flag.id)
        if len(claim) >= 4 and each["id"].startswith(claim)
    ]
    if len(found) != 1:
        raise WrongAnswer(
            f"{claim!r} is none of the claims between which {flag.id} asks to choose"
        )
    return _answer(
        ws,
        db,
        log,
        flag,
        {"choice": "prefer", "claim": found[0], "at": _now(ws)},
        agent,
    )


def _answer(
    ws: Workspace,
    db: sqlite3.Connection,
    log: Verdicts,
    flag: Question,
    said: dict[str, str],
    agent: str | None,
) -> "QuestionWithSides":
    name, mail = Repo(ws.place).author()
    who = (
        Identity("agent", "1", agent)
        if agent
        else Identity("person", "1", f"{name} <{mail}>")
    )
    earlier = sum(
        each.answer["flag"] == flag.id for each in log.of_task(REVIEW)
    )
    key = question_key(
        REVIEW, who, [flag.id, earlier, said.get("claim", said["choice"])]
    )
    log.add(
        [Logged(key, REVIEW, str(who), {"flag": flag.id, **said})], _now(ws)
    )
    return {
        **_item(
            db, log, flag, GivenAnswer(flag.id, said["choice"], str(who), key)
        ),
        "sides": [],
    }


# -- the parts -------------------------------------------------------------------------------------


def _open(ws: Workspace) -> tuple[sqlite3.Connection, Verdicts]:
    journal = ws.journal()
    db = current_index(ws, journal)
    if db is None:
        raise NoSuchQuestion(
            "there has been no night yet",
            hint="`companion consolidate` is the first.",
        )
    return db, Verdicts(journal, db)


def _now(ws: Workspace) -> str:
    journal: Journal = ws.journal()
    return times.moment(
        ws.now(), journal.get("last_time"), journal.get(TRUSTED)
    ).transaction


def _find(db: sqlite3.Connection, target: str) -> Question:
    found = [
        flag
        for flag in list_questions(db)
        if len(target) >= 4 and flag.id.startswith(target.lower())
    ]
    if len(found) > 1:
        raise NoSuchQuestion(
            f"{target!r} names more than one question",
            hint="Give more of its name.",
        )
    if not found:
        raise NoSuchQuestion(f"no question is called {target!r}")
    return found[0]


def _is_over(
    db: sqlite3.Connection, log: Verdicts, flag: Question, ws: Workspace
) -> bool:
    return flag.kind == KIND and not is_dispute_open(
        db, log, flag.id, ws.present(ws.journal())
    )


def _item(
    db: sqlite3.Connection,
    log: Verdicts,
    flag: Question,
    given: GivenAnswer | None,
) -> "QuestionResult":
    raised = log.find([flag.key]).get(flag.key) if flag.key else None
    why = str(raised.answer.get("reason", "")) if raised else ""
    return {
        "id": flag.id,
        "kind": flag.kind,
        "reason": replace_ids(
            db,
            f"{flag.reason}: {why}"
            if why and why not in flag.reason
            else flag.reason,
        ),
        "run": flag.run,
        "entry": _named(db, flag.entry),
        "other": None if flag.other is None else _named(db, flag.other),
        "capture": flag.capture,
        "claims": _claims_of(db, flag),
        "answer": None if given is None else given.choice,
        "by": None if given is None else given.judge,
    }


def _claims_of(db: sqlite3.Connection, flag: Question) -> "list[ClaimChoice]":
    if flag.kind == KIND:
        return list_claims_to_choose_from(db, flag.id)
    return describe_claims(db, find_claim_ids(flag.reason))


def _named(db: sqlite3.Connection, id: str) -> "Named":
    row = find_entry(db, id)
    if row is None:
        return {"id": id, "title": None, "path": None}
    return {"id": id, "title": row.title, "path": row.path}


def _sides(flag: Question) -> "Sequence[tuple[Side, str]]":
    """Return (side, id): the new words, and what they stand against."""
    sides: list[tuple[Side, str]] = [("new", flag.capture or flag.entry)]
    if flag.other is not None:
        sides.append(("old", flag.other))
    return sides


def _side(
    ws: Workspace, db: sqlite3.Connection, side: "Side", id: str
) -> "SideResult":
    if len(id) == ENTRY_ID_LENGTH:
        return _entry_side(ws, db, side, id)
    return _capture_side(ws, db, side, id)


def _entry_side(
    ws: Workspace, db: sqlite3.Connection, side: "Side", id: str
) -> "SideResult":
    journal = ws.journal()
    entry = show_entry(ws, db, id)
    sources = set()
    for capture in entry["captures"]:
        for telling in journal.sightings(capture):
            if telling.source:
                sources.add(telling.source)
    return {
        "side": side,
        "kind": entry["kind"],
        "id": id,
        "title": entry["title"],
        "path": entry["path"],
        "text": entry["text"],
        "sources": sorted(sources),
        "dependents": [
            {"id": link["id"], "title": link["title"], "path": link["path"]}
            for link in entry["links"]["in"]
        ],
    }


def _capture_side(
    ws: Workspace, db: sqlite3.Connection, side: "Side", id: str
) -> "SideResult":
    capture = show_capture(ws, db, ws.journal(), id)
    entry = capture["entry"]
    sources = {telling["source"] for telling in capture["sightings"]}
    return {
        "side": side,
        "kind": capture["kind"],
        "id": id,
        "title": capture["title"],
        "path": capture["path"],
        "text": capture["text"],
        "sources": sorted(source for source in sources if source),
        "dependents": [] if entry is None else [_named(db, entry)],
    }
