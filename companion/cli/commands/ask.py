"""`companion ask`: answer a question from what notes say."""

from collections.abc import Iterator

from companion.cli.errors import NOTHING_FOUND
from companion.cli.format import Doc, short, when
from companion.cli.lines import Passage, Title
from companion.cli.output import Ui
from companion.cli.spec import (
    AS_OF,
    FLEET,
    READER,
    Argument,
    Command,
    Option,
)

SPEC = Command(
    help="Answer a question from what notes say.\n\n"
    "Each answer names the claims that lead to it and the notes they come from. Where notes "
    "dispute each other, both sides are shown, whatever the budget. What was told on the same page "
    "since follows. If no recorded fact answers the question, or a later note may have changed the "
    "answer, the notes that come closest are shown and the exit code is 1.",
    argument=Argument(
        "question",
        "QUESTION",
        "What you want to know.",
        many=True,
        required=True,
    ),
    options=(
        AS_OF,
        Option(
            "budget",
            ("--budget",),
            "Tokens that the answers, or the passages, may take.",
            "count",
            default=1000,
            metavar="N",
        ),
        Option(
            "phrase",
            ("--phrase",),
            "Let the language model in use phrase the answer, adding nothing.",
            "flag",
            False,
        ),
        READER,
        FLEET,
    ),
    hot=True,
)


def run(
    ui: Ui,
    *,
    question: list[str],
    as_of: str | None,
    budget: int,
    phrase: bool,
    agent: str | None,
    fleet: str | None,
) -> int:
    """Print the answers to *question*; return 1 if no recorded fact answers it."""
    if fleet is not None:
        from companion.cli.fleet_text import ask_all

        words = " ".join(question)
        return ask_all(ui, words, as_of, fleet, answer_text)
    from companion.answers.ask import ask
    from companion.lookup.time_words import read_as_of
    from companion.usage.record_read import record_ask
    from companion.workspace import open_workspace

    ws = open_workspace(ui.wiki, agent)
    at = read_as_of(ws, as_of)
    answer = ask(ws, " ".join(question), as_of=at, budget=budget)
    doc: Doc = answer
    if phrase:
        from companion.answers.phrase import add_phrasing

        doc = add_phrasing(ws, answer)
    ui.result(doc, text(doc))
    ui.hint_unrecorded(record_ask(ws, doc))
    if phrase and doc["phrasing"]["reason"]:
        ui.warn({"warning": f"not phrased: {doc['phrasing']['reason']}"})
    if doc["known"]:
        return 0
    ui.hint("`companion search` finds the words of your question.")
    return NOTHING_FOUND


def text(doc: Doc) -> Iterator[str]:
    """Yield the answers with the claims that lead to them, or the notes that come closest."""
    if not doc["known"]:
        yield from _unknown(doc)
    yield from _conflict(doc["conflict"])
    yield from _objections(doc["objections"])
    if doc.get("phrased") and "phrasing" in doc:
        yield Title(doc["phrased"] + _beside(doc))
        yield f"  phrased by {doc['phrasing']['model']} from these claims:"
    for answer in doc["answers"]:
        yield from answer_text(answer)
    if doc["known"] and doc["passages"]:
        yield "told since:"
        for passage in doc["passages"]:
            yield _passage(passage)
    if doc["left_out"]:
        yield f"  … and {doc['left_out']:,} more beyond the budget"
    if doc["over_budget"]:
        yield (
            f"  (about {doc['tokens']:,} tokens, the least that answers the question; "
            f"the budget was {doc['budget']:,})"
        )


def _unknown(doc: Doc) -> Iterator[str]:
    near = [one for one in doc["passages"] if one["of_subject"]]
    others = [one for one in doc["passages"] if not one["of_subject"]]
    yield Title(_heading(doc, near))
    yield from _passages(doc, near)
    if others:
        yield "other notes:"
    yield from _passages(doc, others)


def _heading(doc: Doc, near: list[Doc]) -> str:
    """Return what is said above the notes *near* to a question that nothing answers."""
    if not near:
        return f"not known: {doc['question']}"
    if "told since" in near[0]["found_by"]:
        return "A later note may have changed this:"
    return "No fact is recorded for this; these notes come closest:"


def _passages(doc: Doc, passages: list[Doc]) -> Iterator[str]:
    words = doc["question"].strip("?").split()
    for passage in passages:
        yield Passage(_passage(passage), words)


def _passage(passage: Doc) -> str:
    """Return the words of a passage, with its time and its place."""
    words = " ".join(passage["text"].split())
    place = passage["link"] or passage["path"] or short(passage["id"])
    if passage["when"]:
        place = f"{when(passage['when'])} · {place}"
    if passage["lost"]:
        place = f"(no longer holds) {place}"
    title = f"{passage['title']}: "
    if passage["path"] is None and words.startswith(passage["title"]):
        # what waits for a night is called by its first words
        title = ""
    return f"  {title}{words}  · {place}"


def _conflict(sides: list[Doc]) -> Iterator[str]:
    """Yield what contradicts what: a reader meets it before any answer."""
    if not sides:
        return
    told = []
    for side in sides:
        who = dict.fromkeys(
            filter(None, (one["source"] for one in side["told"]))
        )
        days = dict.fromkeys(when(one["told_at"]) for one in side["told"])
        told.append(f"{side['value']} ({', '.join([*who, *days])})")
    yield Title(f"You were told both: {' / '.join(told)}")
    yield "  Which is so? `companion review` asks."


def _objections(notes: list[Doc]) -> Iterator[str]:
    """Yield what waits on branches against the answers: a reader meets it before them."""
    for note in notes:
        told = " ".join(filter(None, (note["source"], when(note["told_at"]))))
        yield Title(f"You were also told: {note['text']} ({told})")
        yield f"  It waits on minority/{note['branch']}."


def answer_text(answer: Doc) -> Iterator[str]:
    """Yield one answer with the claims that lead to it."""
    disputed = "  (disputed)" if answer["disputed"] else ""
    yield Title(answer["value"] + disputed)
    for step in answer["path"]:
        notes = dict.fromkeys(
            f"{short(source['capture'])} {when(source['told_at'])}"
            for source in step["sources"]
        )
        claim = f"{step['subject']} · {step['predicate']}: {step['object']}"
        yield f"  {claim}  · {', '.join(notes)}"


def _beside(doc: Doc) -> str:
    """Return what a sentence of claims leaves out: that they dispute each other, and of which time
    they are.
    """
    parts = []
    if any(answer["disputed"] for answer in doc["answers"]):
        parts.append("disputed")
    if doc["earlier"]:
        parts.append("this was so earlier")
    if doc["as_of"]:
        parts.append(f"as of {when(doc['as_of'])}")
    return f"  ({'; '.join(parts)})" if parts else ""
