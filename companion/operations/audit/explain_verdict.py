"""Say in words what an audit found: a sentence first, then the numbers behind it. Pure."""

from collections.abc import Mapping

from companion.operations.audit.questions import judged_answers
from companion.operations.audit.questions.judged_answers import Judged
from companion.storage.index.tables.audits import Result
from companion.values.wording import many, times_in_words

OPPOSED_BY_HELD_OUT = (
    "Not decided: the questions that were held out say the opposite."
)
OPPOSED_BY_MODEL = (
    "Not decided: nobody rated these answers, and the model says the opposite."
)


def describe_unneeded(thing: str) -> str:
    """Return the sentence for a *thing* (a page, or a note on one) that no answer needs."""
    return f"No question asked so far needs this {thing}."


def describe_result(result: Result, consequences: int, thing: str) -> str:
    """Return the sentence for a *thing* that is needed, or led answers astray."""
    if result == "degraded":
        return f"Answers depend on this {thing}."
    return f"This {thing} led answers astray {times_in_words(consequences)}."


def explain_verdict(
    sentence: str,
    numbers: Mapping[str, float],
    model: str,
    judged: Mapping[str, Judged],
    *,
    decided: bool,
) -> str:
    """Return *sentence*, and in parentheses the numbers behind it.

    *judged* are the answers that *model* judged; where nothing is *decided*, no chance is given.
    """
    if not numbers["tested"]:
        return sentence
    needed = _count_with_verb(int(numbers["needed"]), "needs", "need")
    better = _count_with_verb(int(numbers["better"]), "is", "are")
    tested = many(int(numbers["tested"]), "question")
    parts = [f"of {tested} {needed} it and {better} better without it"]
    if numbers["mean"]:
        parts.append(_describe_mean(numbers, decided=decided))
    if judged:
        parts.append(judged_answers.describe_judged(model, judged.values()))
    return f"{sentence} ({'; '.join(parts)})"


def _describe_mean(numbers: Mapping[str, float], *, decided: bool) -> str:
    words = f"on average {numbers['mean']:+.2f}"
    if numbers["held_out"]:
        words += f", held out {numbers['held_out']:+.2f}"
    if not decided:
        return words
    if numbers["chance"] < 0.001:
        return f"{words}, by chance under 0.001"
    return f"{words}, by chance {numbers['chance']:.3f}"


def _count_with_verb(count: int, one: str, more: str) -> str:
    verb = one if count <= 1 else more
    return f"{count or 'none'} {verb}"
