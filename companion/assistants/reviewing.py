"""The tools `review` and `answer_review`: the questions to the person, and their answers."""

from typing import TYPE_CHECKING

from companion.assistants.arguments import BadArgument, Given
from companion.reading.review import (
    answer_question,
    list_review,
    prefer_claim,
    show_question,
    take_back_answer,
)
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.assistants.results import (
        Choice,
        Question,
        QuestionInFull,
        Questions,
        SideText,
    )
    from companion.reading.results import QuestionResult, SideResult

_MOST = 10  # questions of one list
_LONGEST = 1500  # characters of a side
_SHORTEST_CLAIM = 4  # characters of an id
#: what an answer is called in the ledger
_CHOICES = {
    "accept": "accept",
    "reject": "reject",
    "merge": "merge",
    "new": "prefer-new",
    "old": "prefer-old",
}


def review(ws: Workspace, given: Given) -> "Questions | QuestionInFull":
    """List the open questions, or show one with both sides. Raises NoSuchQuestion."""
    id = given.optional("id")
    if id is not None:
        question = show_question(ws, id)
        sides = [_describe_side(side) for side in question["sides"]]
        return {**_describe(question), "sides": sides}
    items = list_review(ws)["items"]
    return {
        "questions": [_describe(item) for item in items[:_MOST]],
        "left_out": max(len(items) - _MOST, 0),
    }


def answer_review(ws: Workspace, given: Given) -> "Question":
    """Log an answer in the name of the assistant.

    Raises NoSuchQuestion, WrongAnswer or BadArgument.
    """
    id, answer = given.text("id"), given.text("answer")
    if answer == "undo":
        return _describe(take_back_answer(ws, id, agent=ws.who))
    if answer in _CHOICES:
        choice = _CHOICES[answer]
        return _describe(answer_question(ws, id, choice, agent=ws.who))
    if len(answer) < _SHORTEST_CLAIM:
        raise BadArgument(
            "`answer` is none of accept, reject, merge, new, old, undo, and no claim"
        )
    return _describe(prefer_claim(ws, id, answer, agent=ws.who))


def _describe(item: "QuestionResult") -> "Question":
    about, other = item["entry"], item["other"]
    claims: list[Choice] = []
    for claim in item["claims"]:
        words = f"{claim['subject']} · {claim['predicate']}: {claim['object']}"
        claims.append({"id": claim["id"], "claim": words})
    return {
        "id": item["id"],
        "kind": item["kind"],
        "about": about["title"],
        "against": other["title"] if other else None,
        "reason": item["reason"],
        "claims": claims,
        "answer": item["answer"],
    }


def _describe_side(side: "SideResult") -> "SideText":
    return {
        "side": side["side"],
        "title": side["title"],
        "text": side["text"][:_LONGEST],
        "sources": side["sources"],
    }
