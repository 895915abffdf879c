"""Phrase an answer in sentences of a language model, for `ask --phrase` (LED-7, LED-15).

A phrasing decides nothing, so no ledger file has it: this machine's verdict log keeps it, and the
same question about the same claims finds it there again. Two things are never sent to a model,
because nothing here can know whether a model of the `llm` library runs on this machine: an answer
that is not known, and what anybody told in private.
"""

import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.answers.known import open_index
from companion.judges.ask import question_key
from companion.judges.llm import phrase_answer
from companion.judges.llm.check_phrasing import Line
from companion.judges.llm.phrase_answer import LlmPhraser, Phrased, fits
from companion.language.protocols import ModelUnavailable
from companion.storage.git.repo import Repo
from companion.storage.index.folding import fold
from companion.storage.index.tables import claims
from companion.storage.journal.journal import TRUSTED
from companion.storage.journal.verdicts import Logged, Verdicts
from companion.values.time import moment
from companion.values.wording import many
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.answers.results import (
        AskResult,
        StepResult,
        UnphrasedAnswer,
    )


TASK = "phrase"


class NoModel(ModelUnavailable):
    """No language model is configured, so nobody can phrase the answer."""

    hint = "`companion models use llm:NAME` names one; without --phrase the answer needs none."


def add_phrasing(ws: Workspace, answer: "UnphrasedAnswer") -> "AskResult":
    """Return *answer* with `phrased` (sentences or None) and `phrasing` (which model, and why not).

    Raises NoModel if no language model is configured, and ModelUnavailable if it is not installed.
    A model that fails to answer is a reason in `phrasing`.
    """
    repo = Repo(ws.place)
    tree = repo.wiki_tree(repo.tip())
    phraser = phrase_answer.open_phraser(fold.read_settings(repo, tree))
    if phraser is None:
        raise NoModel
    lines = list_claim_lines(answer)
    reason = _reason_not_to_send(ws, answer, lines)
    if reason is not None:
        return _with_phrasing(
            answer, str(phraser.identity), Phrased(None, reason)
        )
    return _ask_or_replay(ws, answer, phraser, lines)


def list_claim_lines(answer: "UnphrasedAnswer") -> list[Line]:
    """Return each claim of the answer once; those of the best answers and disputes are needed."""
    best = max((each["score"] for each in answer["answers"]), default=0)
    lines: dict[tuple[str, str, str], Line] = {}
    for each in answer["answers"]:
        needed = each["disputed"] or each["score"] == best
        for step in each["path"]:
            line = _claim_line(step)
            claim = (line.subject, line.predicate, line.object)
            line = lines.get(claim, line)
            lines[claim] = line._replace(
                disputed=line.disputed or each["disputed"],
                needed=line.needed or needed,
            )
    return list(lines.values())


def _claim_line(step: "StepResult") -> Line:
    days = {source["told_at"][:10] for source in step["sources"]}
    return Line(
        step["subject"],
        step["predicate"],
        step["object"],
        tuple(sorted(days)),
        disputed=False,
        needed=False,
    )


def _reason_not_to_send(
    ws: Workspace, answer: "UnphrasedAnswer", lines: Sequence[Line]
) -> str | None:
    """Return why *answer* must not be sent to a model; None: it may be sent."""
    if not answer["known"]:
        return "an answer that is not known is not sent to a model"
    private = _count_private_claims(open_index(ws), answer)
    if private:
        verb = "was" if private == 1 else "were"
        return (
            f"{many(private, 'claim')} {verb} told in private, "
            "and nothing private is sent to a model"
        )
    if not fits(lines):
        return "the answer is longer than what a model is shown; a smaller --budget helps"
    return None


def _count_private_claims(
    db: sqlite3.Connection, answer: "UnphrasedAnswer"
) -> int:
    """Return how many claims of *answer* were told in private; one that is gone counts."""
    ids: set[str] = set()
    for each in answer["answers"]:
        for step in each["path"]:
            ids.update(source["id"] for source in step["sources"])
    count = 0
    for id in sorted(ids):
        claim = claims.find_claim(db, id)
        if claim is None or claim.assertion.scope == "private":
            count += 1
    return count


def _ask_or_replay(
    ws: Workspace,
    answer: "UnphrasedAnswer",
    phraser: LlmPhraser,
    lines: Sequence[Line],
) -> "AskResult":
    """Answer from the log, or ask the model and log what it said: a refusal costs nothing twice
    (LED-7).
    """
    log = Verdicts(ws.journal(), None)
    key = question_key(TASK, phraser.identity, [answer["question"], lines])
    model = str(phraser.identity)
    replayed = key in log.find([key])
    if not replayed:
        try:
            phrased = phraser.phrase(answer["question"], lines)
        except ModelUnavailable as error:
            return _with_phrasing(answer, model, Phrased(None, str(error)))
        log.add([Logged(key, TASK, model, phrased._asdict())], _now(ws))
    # from the log: another process may have been first
    logged = log.find([key])[key]
    return _with_phrasing(
        answer, logged.judge, Phrased(**logged.answer), replayed=replayed
    )


def _now(ws: Workspace) -> str:
    journal = ws.journal()
    last_times = journal.get("last_time"), journal.get(TRUSTED)
    return moment(ws.now(), *last_times).transaction


def _with_phrasing(
    answer: "UnphrasedAnswer",
    model: str,
    made: Phrased,
    *,
    replayed: bool = False,
) -> "AskResult":
    return {
        **answer,
        "phrased": made.text,
        "phrasing": {
            "model": model,
            "reason": made.reason,
            "replayed": replayed,
        },
    }
