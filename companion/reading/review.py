"""`review`: the questions that await an answer of a person or an agent, and their answers.

An answer is a verdict like a judge's: logged at once, exported with the next run, and weighed
there. It may lift a quarantine, or bring one about; it never closes a branch (INV-4) and never
touches a text.
"""

import sqlite3
from collections.abc import Container, Mapping
from typing import TYPE_CHECKING

from companion.annotations import get_args
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
    TAKEN_BACK,
    list_answers_in_force,
    list_given_answers,
)
from companion.ledger.resolve import REVIEW
from companion.lookup.index import current_index
from companion.reading.review_sides import (
    describe_entry,
    list_sides,
    quote_sides,
)
from companion.reading.sources import describe_locked
from companion.storage.boundary.set_aside import gather
from companion.storage.git.repo import Repo
from companion.storage.index.tables import routing
from companion.storage.index.tables.questions import (
    GivenAnswer,
    Question,
    list_questions,
)
from companion.storage.journal.journal import TRUSTED, Journal
from companion.storage.journal.verdicts import Logged, Verdicts
from companion.values.time import moment
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
    )

CHOICES: tuple[str, ...] = get_args(Choice)
_SHORTEST_NAME = 4  # characters of an id


class NoSuchQuestion(CompanionError):
    """No question of that name is open or was answered."""

    exit_code = 1
    hint = "`companion review` lists what awaits an answer."


class WrongAnswer(BadInput):
    """That is no answer to this question."""

    exit_code = 2
    hint = "`companion review show ID` names what can be chosen."


def list_review(ws: Workspace, *, all: bool = False) -> "QuestionList":
    """Return the open questions, what awaits an audit, and what of remotes is set aside.

    With *all*, the answered questions too. Raises DamagedRef, IndexDamaged or NoSuchQuestion.
    """
    db, log = _open(ws)
    given = list_answers_in_force(db, log)
    items = []
    for question in list_questions(db):
        if all or _awaits_answer(ws, db, log, question, given):
            answer = given.get(question.id)
            items.append(_describe_question(ws, db, log, question, answer))
    aside = gather(ws.place)
    return {
        "items": items,
        "open": sum(item["answer"] is None for item in items),
        "queue": _list_queue(db),
        "locked": describe_locked(db),
        "set_aside": [item._asdict() for item in aside.items],
        "set_aside_count": aside.total,
    }


def show_question(ws: Workspace, target: str) -> "QuestionWithSides":
    """Return one question with both sides: their text, their sources and what depends on them.

    Raises NoSuchQuestion.
    """
    db, log = _open(ws)
    question = _find_question(db, target)
    given = list_answers_in_force(db, log).get(question.id)
    return {
        **_describe_question(ws, db, log, question, given),
        "sides": list_sides(ws, db, question),
    }


def answer_question(
    ws: Workspace, target: str, choice: str, *, agent: str | None = None
) -> "QuestionWithSides":
    """Log an answer, durably; the next `consolidate` weighs it. The last answer given counts.

    Raises NoSuchQuestion, and WrongAnswer for a question between claims.
    """
    assert choice in CHOICES
    db, log = _open(ws)
    question = _find_question(db, target)
    if question.kind == KIND:
        raise WrongAnswer(
            "claims dispute each other: say which is so, by `review prefer ID CLAIM`"
        )
    return _log_answer(ws, db, log, question, {"choice": choice}, agent)


def prefer_claim(
    ws: Workspace, target: str, claim: str, *, agent: str | None = None
) -> "QuestionWithSides":
    """Log which of several claims is so; reads go by it until something new is told.

    Raises NoSuchQuestion, and WrongAnswer where *claim* names none of them or several.
    """
    db, log = _open(ws)
    question = _find_question(db, target)
    found = [
        choice["id"]
        for choice in list_claims_to_choose_from(db, question.id)
        if _names(claim, choice["id"])
    ]
    if len(found) != 1:
        raise WrongAnswer(
            f"{claim!r} is none of the claims between which {question.id} asks to choose"
        )
    answer = {"choice": "prefer", "claim": found[0], "at": _now(ws)}
    return _log_answer(ws, db, log, question, answer, agent)


def take_back_answer(
    ws: Workspace, target: str, *, agent: str | None = None
) -> "QuestionWithSides":
    """Take the last answer to a question back; what was answered before it holds again.

    Raises NoSuchQuestion, and WrongAnswer where a run has recorded the answer, or where it chose a
    claim: reads have gone by it since.
    """
    db, log = _open(ws)
    question = _find_question(db, target)
    given = [
        logged
        for logged in list_given_answers(log)
        if logged.answer["flag"] == question.id
    ]
    if not given or log.told([given[-1].key]):
        raise WrongAnswer(
            f"no answer to {question.id} can be taken back",
            hint="A night has weighed it, or there is none: answer it anew.",
        )
    if "claim" in given[-1].answer:
        raise WrongAnswer(
            "reads go by the claim that you chose", hint="Choose another one."
        )
    return _log_answer(ws, db, log, question, {"choice": TAKEN_BACK}, agent)


# -- answers ---------------------------------------------------------------------------------------


def _log_answer(
    ws: Workspace,
    db: sqlite3.Connection,
    log: Verdicts,
    question: Question,
    answer: Mapping[str, str],
    agent: str | None,
) -> "QuestionWithSides":
    """Log *answer* in the name of *agent*, else of the person; return the question with it."""
    who = _identity(ws, agent)
    earlier = sum(
        logged.answer["flag"] == question.id for logged in log.of_task(REVIEW)
    )
    chosen = answer.get("claim", answer["choice"])
    key = question_key(REVIEW, who, [question.id, earlier, chosen])
    fields = {"flag": question.id, **answer}
    log.add([Logged(key, REVIEW, str(who), fields)], _now(ws))
    given = list_answers_in_force(db, log).get(question.id)
    return {
        **_describe_question(ws, db, log, question, given),
        "sides": [],
    }


def _identity(ws: Workspace, agent: str | None) -> Identity:
    if agent:
        return Identity("agent", "1", agent)
    name, mail = Repo(ws.place).author()
    return Identity("person", "1", f"{name} <{mail}>")


def _now(ws: Workspace) -> str:
    journal: Journal = ws.journal()
    last, trusted = journal.get("last_time"), journal.get(TRUSTED)
    return moment(ws.now(), last, trusted).transaction


# -- questions -------------------------------------------------------------------------------------


def _open(ws: Workspace) -> tuple[sqlite3.Connection, Verdicts]:
    """Return the index and the log of verdicts. Raises NoSuchQuestion before the first night."""
    journal = ws.journal()
    db = current_index(ws, journal)
    if db is None:
        raise NoSuchQuestion(
            "there has been no night yet",
            hint="`companion consolidate` is the first.",
        )
    return db, Verdicts(journal, db)


def _find_question(db: sqlite3.Connection, target: str) -> Question:
    """Return the question that *target* or its beginning names. Raises NoSuchQuestion."""
    found = [
        question
        for question in list_questions(db)
        if _names(target.lower(), question.id)
    ]
    if len(found) > 1:
        raise NoSuchQuestion(
            f"{target!r} names more than one question",
            hint="Give more of its name.",
        )
    if not found:
        raise NoSuchQuestion(f"no question is called {target!r}")
    return found[0]


def _names(beginning: str, id: str) -> bool:
    """Tell whether *beginning* is long enough to name *id*, and does."""
    return len(beginning) >= _SHORTEST_NAME and id.startswith(beginning)


def _awaits_answer(
    ws: Workspace,
    db: sqlite3.Connection,
    log: Verdicts,
    question: Question,
    given: Container[str],
) -> bool:
    """Tell whether nobody answered *question*, and nothing told since has settled it."""
    if question.id in given:
        return False
    if question.kind != KIND:
        return True
    return is_dispute_open(db, log, question.id, ws.present(ws.journal()))


def _describe_question(
    ws: Workspace,
    db: sqlite3.Connection,
    log: Verdicts,
    question: Question,
    given: GivenAnswer | None,
) -> "QuestionResult":
    result: QuestionResult = {
        "id": question.id,
        "kind": question.kind,
        "reason": replace_ids(db, _full_reason(log, question)),
        "run": question.run,
        "entry": describe_entry(db, question.entry),
        "other": None,
        "capture": question.capture,
        "quotes": quote_sides(ws, db, question),
        "claims": _list_claims(db, question),
        "answer": None,
        "by": None,
    }
    if question.other is not None:
        result["other"] = describe_entry(db, question.other)
    if given is not None:
        result["answer"] = given.choice
        result["by"] = given.judge
    return result


def _full_reason(log: Verdicts, question: Question) -> str:
    """Return the reason of *question*, with that of the verdict that raised it."""
    if not question.key:
        return question.reason
    verdict = log.find([question.key]).get(question.key)
    why = "" if verdict is None else str(verdict.answer.get("reason", ""))
    if not why or why in question.reason:
        return question.reason
    if question.reason.endswith(")"):
        return f"{question.reason[:-1]}: {why})"
    return f"{question.reason} ({why})"


def _list_claims(
    db: sqlite3.Connection, question: Question
) -> "list[ClaimChoice]":
    if question.kind == KIND:
        return list_claims_to_choose_from(db, question.id)
    return describe_claims(db, find_claim_ids(question.reason))


def _list_queue(db: sqlite3.Connection) -> "list[QueuedAudit]":
    """Return the entries that await an audit, oldest first."""
    queue: list[QueuedAudit] = []
    for queued in routing.list_queued(db):
        queue.append(
            {
                "entry": describe_entry(db, queued.entry),
                "row": queued.row,
                "run": queued.run,
                "since": queued.since,
                "reason": queued.reason,
            }
        )
    return queue
