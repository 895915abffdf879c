"""`companion ask`: answer a question from what was told."""

from collections.abc import Iterator

from companion.cli.errors import NOTHING_FOUND
from companion.cli.format import Doc, short, when
from companion.cli.options import AS_OF, READER
from companion.cli.output import Title, Ui
from companion.cli.spec import Argument, Command, Option

SPEC = Command(
    help="Answer a question from what was told.\n\n"
    "The answer comes with the claims that lead to it and their notes; both sides of a dispute are there whatever "
    "the budget. What nobody told is not known: then come the passages nearest to the question, and exit code 1.",
    argument=Argument(
        "question", "QUESTION", "The question.", many=True, required=True
    ),
    options=(
        AS_OF,
        Option(
            "budget",
            ("--budget",),
            "Tokens that the answers may take.",
            "count",
            default=500,
            metavar="N",
        ),
        Option(
            "phrase",
            ("--phrase",),
            "Have the language model in use phrase it, adding nothing.",
            "flag",
            False,
        ),
        READER,
    ),
)


def run(
    ui: Ui,
    *,
    question: list[str],
    as_of: str | None,
    budget: int,
    phrase: bool,
    agent: str | None,
) -> int:
    from companion.answers import ask as answers
    from companion.usage.record_read import record_ask
    from companion.workspace import open_workspace

    ws = open_workspace(ui.wiki, agent)
    answer = answers.ask(ws, " ".join(question), as_of=as_of, budget=budget)
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
    ui.hint(
        "not known: nobody told it here; `companion search` finds more of what notes say."
    )
    return NOTHING_FOUND


def text(doc: Doc) -> Iterator[str]:
    if not doc["known"]:
        yield Title(f"not known: {doc['question']}")
        yield from ("what notes say of it:" for _ in doc["passages"][:1])
        for each in doc["passages"]:
            yield f"  {each['title']}: {' '.join(each['text'].split())}  · {each['path'] or short(each['id'])}"
    if doc.get("phrased") and "phrasing" in doc:
        yield Title(doc["phrased"] + _beside(doc))
        yield f"  phrased by {doc['phrasing']['model']} from what was told:"
    for answer in doc["answers"]:
        yield Title(
            answer["value"] + ("  (disputed)" if answer["disputed"] else "")
        )
        for step in answer["path"]:
            told = ", ".join(
                dict.fromkeys(
                    f"{short(s['capture'])} {when(s['told_at'])}"
                    for s in step["sources"]
                )
            )
            yield f"  {step['subject']} · {step['predicate']}: {step['object']}  · {told}"
    if doc["left_out"]:
        yield f"  … and {doc['left_out']:,} more beyond the budget"
    if doc["over_budget"]:
        yield f"  (about {doc['tokens']:,} tokens, the least that answers: the budget was {doc['budget']:,})"


def _beside(doc: Doc) -> str:
    """Return what a sentence of claims leaves out: that they dispute each other, and of which time
    they are.
    """
    disputed = any(answer["disputed"] for answer in doc["answers"])
    parts = ["disputed"] * disputed + ["what was so before"] * doc["earlier"]
    parts += [f"as of {when(doc['as_of'])}"] if doc["as_of"] else []
    return f"  ({'; '.join(parts)})" if parts else ""
