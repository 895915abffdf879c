"""What an answer is made of, within a budget of tokens: the smallest set that says it (LED-14).

A token has about four characters, as the pack is printed. The best answer is always there, and so
are all sides of an open dispute: half of one would be another answer. Where they alone are more
than the budget, the pack says so.
"""

from collections.abc import Mapping, Sequence
from typing import Any


def fit_into_budget(
    made: Sequence[dict[str, Any]], budget: int
) -> dict[str, Any]:
    """Return {answers, left_out, tokens, budget, over_budget}: what must be there, then what fits,
    the best first.
    """
    disputed = [each for each in made if each["disputed"]]
    must = disputed if made and made[0]["disputed"] else list(made[:1])
    kept, spent = list(must), sum(map(count_tokens, must))
    for each in made:
        if each not in kept and spent + count_tokens(each) <= budget:
            kept.append(each)
            spent += count_tokens(each)
    return {
        "answers": kept,
        "left_out": len(made) - len(kept),
        "tokens": spent,
        "budget": budget,
        "over_budget": spent > budget,
    }


def count_tokens(answer: Mapping[str, Any]) -> int:
    """Return about how many tokens an answer takes with the claims that lead to it, their notes and
    dates.
    """
    said = [
        answer["value"],
        *(
            f"{step['subject']} {step['predicate']} {step['object']}"
            for step in answer["path"]
        ),
    ]
    sources = sum(len(step["sources"]) for step in answer["path"])
    return (
        sum(len(pack_as_text) // 4 + 1 for pack_as_text in said) + 10 * sources
    )


def pack_as_text(packed: Mapping[str, Any]) -> str:
    """Return the pack as lines: what a model is shown, and by which its words are checked."""
    lines = []
    for each in packed["answers"]:
        lines.append(
            f"{each['value']}{' (disputed)' if each['disputed'] else ''}"
        )
        for step in each["path"]:
            told = ", ".join(
                source["told_at"][:10] for source in step["sources"]
            )
            lines.append(
                f"- {step['subject']} {step['predicate']} {step['object']} (told {told})"
            )
    return "\n".join(lines)
