"""Fit the answers to a question into a budget of tokens (LED-14).

Tokens are bounded by the kinds of letters (ADR 233): an answer waits for no tokenizer. The best
answer is always kept, with all other sides where it is disputed, for half of a dispute would be
another answer. Other disputed answers are served all or not at all, too. Where what is always kept
takes more than the budget, the result says so.
"""

from collections.abc import Sequence

from companion.annotations import TYPE_CHECKING
from companion.language.tokens import bound_tokens as count_text

if TYPE_CHECKING:
    from companion.answers.results import (
        AnswerResult,
        ConflictSide,
        Pack,
        PassageResult,
        StepResult,
    )


_SOURCE = 10  # tokens of one note: its ids and its date


def fit_into_budget(answers: "Sequence[AnswerResult]", budget: int) -> "Pack":
    """Return {conflict, answers, left_out, tokens, budget, over_budget}: what is disputed, the
    answers that must be there, then those that fit, the best first.
    """
    kept: list[AnswerResult] = []
    spent = 0
    for together in _group_disputed(answers):
        tokens = sum(count_tokens(answer) for answer in together)
        if not kept or spent + tokens <= budget:
            kept += together
            spent += tokens
    return {
        "conflict": _list_sides(kept),
        "answers": kept,
        "left_out": len(answers) - len(kept),
        "tokens": spent,
        "budget": budget,
        "over_budget": spent > budget,
    }


def _list_sides(answers: "Sequence[AnswerResult]") -> "list[ConflictSide]":
    """Return the sides of what is disputed, which a reader meets before any answer (LED-18)."""
    sides: list[ConflictSide] = []
    for answer in answers:
        if answer["disputed"]:
            last = answer["path"][-1]
            matter = f"{last['subject']} · {last['predicate']}"
            told = last["sources"]
            sides.append(
                {"value": answer["value"], "matter": matter, "told": told}
            )
    return sides


def _group_disputed(
    answers: "Sequence[AnswerResult]",
) -> "list[list[AnswerResult]]":
    """Return *answers*, the best first, the disputed ones in one list at the place of their best.

    A dispute can lie anywhere on the path of an answer, so that they are not told apart.
    """
    disputed = [answer for answer in answers if answer["disputed"]]
    groups: list[list[AnswerResult]] = []
    for answer in answers:
        if not answer["disputed"]:
            groups.append([answer])
        elif answer is disputed[0]:
            groups.append(disputed)
    return groups


def count_tokens(answer: "AnswerResult") -> int:
    """Return about how many tokens an answer takes, with the claims that lead to it, their notes
    and dates.
    """
    tokens = count_text(answer["value"])
    for step in answer["path"]:
        tokens += count_text(_claim_as_text(step))
        tokens += _SOURCE * len(step["sources"])
    return tokens


def fit_passages(
    passages: "Sequence[PassageResult]", packed: "Pack"
) -> "tuple[Pack, list[PassageResult]]":
    """Return *packed* with those of *passages* counted that still fit, the best first, and these;
    the best is always there where there is nothing else.
    """
    kept: list[PassageResult] = []
    spent = packed["tokens"]
    for passage in passages:
        shown = f"{passage['title']}: {passage['text']}"
        tokens = count_text(shown) + _SOURCE
        if spent + tokens <= packed["budget"] or not (spent or kept):
            spent += tokens
            kept.append(passage)
    pack = packed.copy()
    pack["tokens"] = spent
    pack["left_out"] += len(passages) - len(kept)
    pack["over_budget"] = spent > packed["budget"]
    return pack, kept


def _claim_as_text(step: "StepResult") -> str:
    return f"{step['subject']} {step['predicate']} {step['object']}"


def pack_as_text(packed: "Pack") -> str:
    """Return the pack as the lines that a model is shown, and by which its words are checked."""
    lines = []
    for answer in packed["answers"]:
        mark = " (disputed)" if answer["disputed"] else ""
        lines.append(f"{answer['value']}{mark}")
        for step in answer["path"]:
            days = ", ".join(
                source["told_at"][:10] for source in step["sources"]
            )
            lines.append(f"- {_claim_as_text(step)} (told {days})")
    return "\n".join(lines)
