"""`ask --phrase`: the answer's own claims in a language model's sentences, or the plain answer and
why (LED-7, LED-15).

A phrasing decides nothing, so it is in no ledger file: it stays in this machine's verdict log,
where the same question about the same claims finds it again. What is not known, and what anybody
told in private, is never sent: nothing here can know whether a model of the `llm` library runs on
this machine.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from companion.answers.claims import open_index
from companion.judges.ask import question_key
from companion.judges.llm import phrase_answer
from companion.judges.llm.check_phrasing import Line
from companion.judges.llm.phrase_answer import LlmPhraser, Phrased, fits
from companion.language.protocols import ModelUnavailable
from companion.storage.git.repo import Repo
from companion.storage.index import fold
from companion.storage.index.tables import claims
from companion.storage.journal.journal import TRUSTED
from companion.storage.journal.verdicts import Logged, Verdicts
from companion.values import time as times
from companion.workspace import Workspace

TASK = "phrase"


class NoModel(ModelUnavailable):
    """No language model is configured, so nobody can phrase the answer."""

    hint = "`companion models use llm:NAME` names one; without --phrase the answer needs none."


def add_phrasing(ws: Workspace, doc: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer *doc* with *phrased*, sentences or None, and *phrasing*: by whom, and why
    not.

    Raises NoModel, and ModelUnavailable for a model that is not installed; one that fails is a
    reason.
    """
    repo = Repo(ws.place)
    phraser = phrase_answer.open_phraser(
        fold.settings(repo, repo.wiki_tree(repo.tip()))
    )
    if phraser is None:
        raise NoModel
    model = str(phraser.identity)
    lines = claim_lines(doc)
    kept_back = _kept_back(ws, doc, lines)
    if kept_back is not None:
        return _with(doc, model, Phrased(None, kept_back), replayed=False)
    return _asked(ws, doc, phraser, lines)


def claim_lines(doc: Mapping[str, Any]) -> list[Line]:
    """Return the claims of the pack, each once; what the best answers and disputes rest on is
    needed.
    """
    best = max((each["score"] for each in doc["answers"]), default=0)
    found: dict[tuple[str, str, str], Line] = {}
    for answer in doc["answers"]:
        needed = answer["disputed"] or answer["score"] == best
        for step in answer["path"]:
            said = (step["subject"], step["predicate"], step["object"])
            days = tuple(
                sorted({source["told_at"][:10] for source in step["sources"]})
            )
            before = found.get(
                said, Line(*said, days, disputed=False, needed=False)
            )
            disputed = before.disputed or answer["disputed"]
            found[said] = before._replace(
                disputed=disputed, needed=before.needed or needed
            )
    return list(found.values())


def _kept_back(
    ws: Workspace, doc: Mapping[str, Any], lines: Sequence[Line]
) -> str | None:
    """Return why nothing of *doc* may be sent, or None."""
    if not doc["known"]:
        return "what is not known is not sent to a model"
    private = _told_in_private(open_index(ws), doc)
    if private:
        said = "1 claim was" if private == 1 else f"{private} claims were"
        return f"{said} told in private, and nothing private is sent to a model"
    return (
        None
        if fits(lines)
        else "the answer is longer than what a model is shown; a smaller --budget helps"
    )


def _told_in_private(db: sqlite3.Connection, doc: Mapping[str, Any]) -> int:
    ids = {
        source["id"]
        for answer in doc["answers"]
        for step in answer["path"]
        for source in step["sources"]
    }
    found = [claims.of_id(db, id) for id in sorted(ids)]
    return sum(
        each is None or each.assertion.scope == "private" for each in found
    )


def _asked(
    ws: Workspace,
    doc: Mapping[str, Any],
    phraser: LlmPhraser,
    lines: Sequence[Line],
) -> dict[str, Any]:
    """Answer from the log, or ask and log: what was refused once is not paid for again (LED-7)."""
    log, identity = Verdicts(ws.journal(), None), phraser.identity
    key = question_key(TASK, identity, [doc["question"], lines])
    before = log.find([key]).get(key)
    if before is None:
        try:
            made = phraser.phrase(doc["question"], lines)
        except ModelUnavailable as error:
            return _with(
                doc, str(identity), Phrased(None, str(error)), replayed=False
            )
        log.add([Logged(key, TASK, str(identity), made._asdict())], _now(ws))
    said = log.find([key])[key]
    return _with(
        doc, said.judge, Phrased(**said.answer), replayed=before is not None
    )


def _now(ws: Workspace) -> str:
    journal = ws.journal()
    return times.moment(
        ws.now(), journal.get("last_time"), journal.get(TRUSTED)
    ).transaction


def _with(
    doc: Mapping[str, Any], model: str, made: Phrased, *, replayed: bool
) -> dict[str, Any]:
    return {
        **doc,
        "phrased": made.text,
        "phrasing": {
            "model": model,
            "reason": made.reason,
            "replayed": replayed,
        },
    }
