"""Answers that persons and agents gave in `review`, as a night weighs them."""

import sqlite3
from collections.abc import Callable
from typing import cast

from companion.comparison import consistency
from companion.comparison.cohesion import Cohesion
from companion.comparison.consistency import Choice
from companion.ledger.resolve import REVIEW
from companion.storage.index.tables.captures import list_captures_of_entry
from companion.storage.index.tables.pages.entries import find_known
from companion.storage.index.tables.questions import (
    GivenAnswer,
    Question,
    list_answers,
    list_contradicted_by_model,
    list_questions,
)
from companion.storage.journal.verdicts import Logged, Verdicts
from companion.tuples import NamedTuple
from companion.values.events import LedgerLine
from companion.values.relations import Relation

#: the choice that takes the last answer to a question back
TAKEN_BACK = "taken back"
ENTRY_ID_LENGTH = 16  # characters; the id of a capture has 64
_FAVOUR_CAPTURE = ("accept", "prefer-new", "merge")


class SettledAnswers(NamedTuple):
    """The changes that the answers of this night make."""

    lines: list[LedgerLine]
    notes: list[str]  # for the person, where an answer cannot have its effect


def list_answers_in_force(
    db: sqlite3.Connection, log: Verdicts
) -> dict[str, GivenAnswer]:
    """Return the latest answer to each question, by the question's id.

    An answer that only this journal has is later than one in the ledger.
    """
    in_force = {answer.flag: answer for answer in list_answers(db)}
    for logged in _unrecorded_answers(log):
        question = logged.answer["flag"]
        in_force[question] = GivenAnswer(
            question, logged.answer["choice"], logged.judge, logged.key
        )
    return in_force


def list_choices_by_verdict(
    db: sqlite3.Connection, log: Verdicts
) -> dict[str, Choice]:
    """Return the choice of a person for each verdict that raised a question, by the verdict's
    key.
    """
    in_force = list_answers_in_force(db, log)
    choices: dict[str, Choice] = {}
    if not in_force:
        return choices
    for question in list_questions(db):
        if question.key is not None and question.id in in_force:
            choices[question.key] = cast(Choice, in_force[question.id].choice)
    return choices


def list_confirmed_doubts(
    db: sqlite3.Connection, log: Verdicts
) -> list[Question]:
    """Return the questions about doubts to which a person answered that the new words are right."""
    in_force = list_answers_in_force(db, log)
    return [
        question
        for question in list_questions(db)
        if question.kind == "doubt"
        and question.id in in_force
        and in_force[question.id].choice == "prefer-new"
    ]


def settle_answers(
    db: sqlite3.Connection, log: Verdicts, friction: Callable[[str], float]
) -> SettledAnswers:
    """Return the ledger lines for answers that no ledger file has, and for the pages they move.

    An answer that would let a page out of quarantine meets the *friction* of its entry (row 3 of
    the matrix).
    """
    settled = SettledAnswers([], [])
    unrecorded = _unrecorded_answers(log)
    if not unrecorded:
        return settled
    questions = {question.id: question for question in list_questions(db)}
    latest: dict[str, Logged] = {}
    for logged in unrecorded:
        question = questions.get(logged.answer["flag"])
        if question is None:
            # the run that asked was taken back: the question is not open any more
            continue
        settled.lines.append(_answered_line(question, logged))
        latest[question.id] = logged
    for id, logged in sorted(latest.items()):
        question = questions[id]
        moved = _move_page(db, log, question, logged, friction(question.entry))
        settled.lines.extend(moved.lines)
        settled.notes.extend(moved.notes)
    return settled


def list_model_contradictions(
    db: sqlite3.Connection, log: Verdicts
) -> list[str]:
    """Return a note for each page that a new model contradicts and nobody answered for (row 7)."""
    in_force = list_answers_in_force(db, log)
    contradicted = list_contradicted_by_model(db)
    paths = dict.fromkeys(
        path for path, question in contradicted if question not in in_force
    )
    return [
        f"{path}: the model in use contradicts this page; it stays as it is until you answer "
        "`companion review` (row 7)"
        for path in paths
    ]


def list_given_answers(log: Verdicts) -> list[Logged]:
    """Return the answers of this journal in the order they were given, but for those taken back.

    A verdict is never deleted: taking one back is an entry of its own.
    """
    given: list[Logged] = []
    for logged in log.of_task(REVIEW):
        if logged.answer["choice"] != TAKEN_BACK:
            given.append(logged)
            continue
        flag = logged.answer["flag"]
        answers = [each for each in given if each.answer["flag"] == flag]
        given.remove(answers[-1])
    return given


def _unrecorded_answers(log: Verdicts) -> list[Logged]:
    """Return the answers of this journal that no ledger file has, in the order they were given."""
    logged = list_given_answers(log)
    recorded = log.told(each.key for each in logged)
    return [each for each in logged if each.key not in recorded]


def _answered_line(question: Question, logged: Logged) -> LedgerLine:
    choice = logged.answer["choice"]
    line: LedgerLine = {
        "e": "answered",
        "flag": question.id,
        "key": logged.key,
        "judge": logged.judge,
        "choice": choice,
    }
    for name in ("claim", "at"):
        if name in logged.answer:
            line[name] = logged.answer[name]
    line["entry"] = question.entry
    line["reason"] = f"{logged.judge} answered {choice}."
    return line


def _explain_quarantine(
    question: Question, place: Cohesion, choice: str, friction: float
) -> list[str]:
    """Return a note where *choice* would free the page, if no safety signal named it."""
    is_kept = place.bucket == "low" and friction > 1.0
    if not is_kept or choice not in _FAVOUR_CAPTURE:
        return []
    return [
        f"question {question.id}: {question.entry} stays in quarantine whatever is answered, "
        "because a safety signal names it (row 3)"
    ]


def _move_page(
    db: sqlite3.Connection,
    log: Verdicts,
    question: Question,
    logged: Logged,
    friction: float,
) -> SettledAnswers:
    """Return what an answer does to the page that the capture alone made.

    A page of several captures does not move.
    """
    nothing = SettledAnswers([], [])
    if question.kind != "contradiction" or question.key is None:
        return nothing
    raised = log.find([question.key]).get(question.key)
    known = find_known(db, question.entry)
    if raised is None or known is None or known.deleted:
        return nothing
    if list_captures_of_entry(db, question.entry) != [question.capture]:
        return nothing
    relation = Relation(**{"score": 0.0, "reason": "", **raised.answer})
    phase = 2 if len(question.other or "") == ENTRY_ID_LENGTH else 1
    choice = logged.answer["choice"]
    place, reason = consistency.place_answered(
        relation, choice, phase, friction
    )
    quarantined = place.bucket == "low"
    notes = _explain_quarantine(question, place, choice, friction)
    if (quarantined, place.bucket) == (known.quarantined, known.bucket):
        return SettledAnswers([], notes)
    line: LedgerLine = {
        "e": "requalified",
        "entry": question.entry,
        "bucket": place.bucket,
        "quarantined": int(quarantined),
        "reason": f"{reason} (question {question.id})",
    }
    return SettledAnswers([line], notes)
