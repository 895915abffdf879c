"""The questions that await an answer: the only page that changes anything."""

from typing import TYPE_CHECKING

from companion.pages.body import without_facts
from companion.reading.question_wording import DISPUTED, WORDINGS
from companion.reading.report.html import Html
from companion.reading.review import (
    CHOICES,
    NoSuchQuestion,
    WrongAnswer,
    answer_question,
    list_review,
    prefer_claim,
    show_question,
    take_back_answer,
)
from companion.values.wording import without_numbers
from companion.web.elements import (
    element,
    link,
    link_page,
    write_note,
    write_page,
)
from companion.web.moments import day_of
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.reading.results import (
        QuestionResult,
        QuestionWithSides,
        SideResult,
    )

_TAKE_BACK = "undo"
_PREFER = "claim:"
_MOST = 50


def make_review_page(ws: Workspace) -> str:
    """Return the page of the open questions."""
    try:
        items = list_review(ws)["items"]
    # before the first night there are none
    except NoSuchQuestion:
        items = []
    shown = element(
        "ol", *(_write_item(one) for one in items[:_MOST]), klass="hits"
    )
    if not items:
        shown = element("p", "No question awaits an answer.", klass="soft")
    more = ""
    if len(items) > _MOST:
        more = element("p", f"{len(items) - _MOST} more", klass="soft")
    return write_page(
        "Review", element("h1", "Review"), shown, more, here="/review"
    )


def make_question_page(ws: Workspace, id: str) -> str:
    """Return one question with both sides and the answers to choose from. Raises NoSuchQuestion."""
    question = show_question(ws, id)
    wording = WORDINGS.get(question["kind"], DISPUTED)
    several = len(question["sides"]) > 1
    sides = [_write_side(side, several) for side in question["sides"]]
    return write_page(
        wording.question,
        element("h1", wording.question),
        element("p", without_numbers(question["reason"]), klass="soft"),
        element("div", *sides, klass="sides"),
        _write_given(question),
        _write_answers(question),
        element("p", link("All questions", "/review")),
        here="/review",
    )


def record_answer(ws: Workspace, id: str, choice: str) -> None:
    """Log the answer of the person; the next night weighs it.

    Raises NoSuchQuestion, and WrongAnswer for what is no answer to it.
    """
    if choice == _TAKE_BACK:
        take_back_answer(ws, id)
    elif choice.startswith(_PREFER):
        prefer_claim(ws, id, choice.removeprefix(_PREFER))
    elif choice in CHOICES:
        answer_question(ws, id, choice)
    else:
        raise WrongAnswer(f"{choice!r} is no answer")


def _write_item(question: "QuestionResult") -> Html:
    entry, other = question["entry"], question["other"]
    names = entry["title"] or entry["id"]
    if other is not None:
        names += f" against {other['title'] or other['id']}"
    return element(
        "li",
        element("h2", link(names, f"/review/{question['id']}")),
        element("p", without_numbers(question["reason"])),
    )


def _write_side(side: "SideResult", several: bool) -> Html:
    facts = [day_of(side["told"]), *side["sources"]]
    needed = [
        link_page(page["id"], page["title"]) for page in side["dependents"]
    ]
    parts = [
        element(
            "h2",
            f"{side['side'].capitalize()}: " if several else "",
            link_page(side["id"], side["title"]),
        ),
        element("p", " · ".join(fact for fact in facts if fact), klass="soft"),
        element(
            "article",
            write_note(without_facts(side["text"]), title=side["title"] or ""),
        ),
    ]
    if needed:
        pages = [part for page in needed for part in (", ", page)][1:]
        parts.append(element("p", "Needed by ", *pages, klass="soft"))
    return element("section", *parts)


def _write_given(question: "QuestionWithSides") -> Html:
    if question["answer"] is None:
        return Html("")
    words = (
        f"Answered: {question['answer']}. The next night weighs it; until then "
        "you may change it."
    )
    return element("p", words, klass="then", role="status")


def _write_answers(question: "QuestionWithSides") -> Html:
    buttons = [
        _write_button(choice, f"{words[:1].upper()}{words[1:]}")
        for choice, words in _list_choices(question)
    ]
    if question["answer"] is not None and question["kind"] != "disputed":
        buttons.append(_write_button(_TAKE_BACK, "Take the answer back"))
    return element(
        "form",
        *buttons,
        klass="answers",
        action=f"/review/{question['id']}",
        method="post",
    )


def _list_choices(question: "QuestionWithSides") -> list[tuple[str, str]]:
    wording = WORDINGS.get(question["kind"])
    if wording is not None:
        return list(wording.answers.values())
    choices = []
    for claim in question["claims"]:
        words = f"{claim['subject']} · {claim['predicate']}: {claim['object']}"
        if claim["source"]:
            words += f" ({claim['source']})"
        choices.append((_PREFER + claim["id"], words))
    return choices


def _write_button(choice: str, words: str) -> Html:
    return element("button", words, name="choice", value=choice)
