"""`companion review`: what awaits your answer: contradictions, doubts, a new model's objections."""

from collections.abc import Iterator

from companion.cli.errors import Usage
from companion.cli.format import Doc, name_of, section, titled
from companion.cli.output import Title, Ui
from companion.cli.spec import Argument, Command, Option

SPEC = Command(
    help="What awaits your answer: contradictions, doubts, a new model's objections.\n\n"
    "`review show ID` shows both sides, `accept ID` says that the new words stand, `reject ID` that they do not, "
    "`prefer ID new|old` which of the two, `merge ID` that both are so. Where claims dispute each other, "
    "`prefer ID CLAIM` says which is so, for every read from then on. The next night weighs the "
    "answer; no text is touched by it.",
    argument=Argument(
        "action",
        "ACTION",
        "show ID, accept ID, reject ID, merge ID, or prefer ID new|old|CLAIM.",
        many=True,
    ),
    options=(
        Option(
            "all", ("--all",), "The answered questions, too.", "flag", False
        ),
        Option(
            "agent",
            ("--agent",),
            "The assistant that answers; else it is you.",
            metavar="NAME",
        ),
    ),
)


def run(ui: Ui, *, action: list[str], all: bool, agent: str | None) -> int:
    from companion.reading import review as questions
    from companion.workspace import open_workspace

    doc: Doc
    match action:
        case []:
            doc = questions.list_review(open_workspace(ui.wiki), all=all)
            ui.result(doc, text(doc))
            if not doc["items"]:
                ui.hint("nothing awaits an answer.")
        case ["show", id]:
            doc = questions.show_question(open_workspace(ui.wiki), id)
            ui.result(doc, text(doc))
        case ["accept" | "reject" | "merge" as choice, id]:
            _answered(
                ui,
                questions.answer_question(
                    open_workspace(ui.wiki, agent), id, choice, agent=agent
                ),
            )
        case ["prefer", id, "new" | "old" as side]:
            _answered(
                ui,
                questions.answer_question(
                    open_workspace(ui.wiki, agent),
                    id,
                    f"prefer-{side}",
                    agent=agent,
                ),
            )
        case ["prefer", id, claim]:
            _answered(
                ui,
                questions.prefer_claim(
                    open_workspace(ui.wiki, agent), id, claim, agent=agent
                ),
            )
        case _:
            raise Usage(
                "review takes nothing, `show|accept|reject|merge ID`, or `prefer ID new|old|CLAIM`"
            )
    return 0


def _answered(ui: Ui, doc: Doc) -> None:
    ui.result(doc, text(doc))
    ui.hint(
        "the next `companion consolidate` weighs the answer; until then you may give another."
    )


def text(doc: Doc) -> Iterator[str]:
    for item in doc.get("items", [doc]):
        yield from _question(item)
    for side in doc.get("sides", ()):
        yield from _side(side)
    awaiting = (
        (name_of(each["entry"]), each["reason"])
        for each in doc.get("queue", ())
    )
    yield from section("awaiting an audit", awaiting)


def _question(item: Doc) -> Iterator[str]:
    answered = (
        f"  (answered {item['answer']} by {item['by']})"
        if item["answer"]
        else ""
    )
    yield Title(f"{item['id']}  {item['kind']}{answered}")
    yield f"  {name_of(item['entry'])}" + (
        f"  against  {name_of(item['other'])}" if item["other"] else ""
    )
    yield f"  {item['reason']}"
    for claim in item["claims"]:
        told = f"  · {claim['source']}" if claim["source"] else ""
        yield f"  {claim['id']}  {claim['subject']} · {claim['predicate']}: {claim['object']}{told}"


def _side(side: Doc) -> Iterator[str]:
    yield ""
    yield Title(f"{side['side']}: {titled(side)}  ({side['kind']})")
    yield from (f"  {line}" for line in side["text"].rstrip("\n").split("\n"))
    if side["sources"]:
        yield f"  sources: {', '.join(side['sources'])}"
    if side["dependents"]:
        yield f"  rests on it: {', '.join(name_of(each) for each in side['dependents'])}"
