"""`companion review`: questions that await your answer: contradictions and doubts."""

from collections.abc import Collection, Iterator

from companion.cli.errors import no_such_action
from companion.cli.format import (
    Doc,
    ending,
    name_of,
    reason_of,
    section,
    short,
    tell_question,
    titled,
)
from companion.cli.lines import Field, Title
from companion.cli.output import Ui
from companion.cli.spec import EXPLAIN, Argument, Command, Option

SPEC = Command(
    help="List the questions that await your answer.\n\n"
    "`review show ID` shows both sides, `accept ID` says that the new words stand, `reject "
    "ID` that they do not, `prefer ID new|old` which of the two stands, `merge ID` that "
    "both are so. Where claims dispute each other, `prefer ID CLAIM` says which is so, for "
    "every read from then on. The next night weighs the answer; it changes no text.\n\n"
    "On a terminal, `review` asks them one at a time; `--list` only lists them. `undo ID` takes "
    "an answer back that no night has weighed.\n\n"
    "`belongs NOTE PAGE` moves a note to the page that it is about, at once. Notes much like it "
    "go there from then on; a title that no page has begins a page.\n\n"
    "An original in which a night found a secret is kept back: `keep ID` lets the next night "
    "read it, `erase ID` removes its bytes for good. What a sync set aside is listed, too; `remote "
    "accept ID` and `remote drop ID` settle it.",
    argument=Argument(
        "action",
        "ACTION",
        "show ID, accept ID, reject ID, merge ID, prefer ID new|old|CLAIM, undo ID, "
        "belongs NOTE PAGE, keep ID or erase ID.",
        many=True,
    ),
    options=(
        Option(
            "all", ("--all",), "Also list answered questions.", "flag", False
        ),
        Option(
            "only_list",
            ("--list",),
            "List the questions; ask none, also on a terminal.",
            "flag",
            False,
        ),
        EXPLAIN,
        Option(
            "agent",
            ("--agent",),
            "The assistant that answers; else it is you.",
            metavar="NAME",
        ),
    ),
)


_LISTED = 20  # of what is set aside
_SETTLED_BY = (
    "`companion remote accept ID` captures the words of a note that was set aside as told now, "
    "`companion remote drop ID` takes it off the list."
)
_ACTIONS = (
    "show",
    "accept",
    "reject",
    "merge",
    "undo",
    "prefer",
    "belongs",
    "keep",
    "erase",
)
_HEADINGS = {
    "contradiction": "may disagree with another note",
    "doubt": "may contradict a page that others depend on",
    "unsure": "is doubtful",
    "model": "disagrees with the model in use",
    "rests on": "no longer stands, and other pages depend on it",
    "disputed": "is disputed",
}


def run(
    ui: Ui,
    *,
    action: list[str],
    all: bool,
    only_list: bool,
    explain: bool,
    agent: str | None,
) -> int:
    """Print the open questions or one of them, or record an answer.

    Raises Usage if *action* is none of these.
    """
    from companion.reading.review import list_review, show_question
    from companion.workspace import open_workspace

    is_plain = not any((action, all, only_list, explain, ui.json))
    if is_plain and _ask(ui, agent):
        return 0
    doc: Doc
    match action:
        case []:
            doc = list_review(open_workspace(ui.wiki), all=all)
        case ["show", id]:
            doc = show_question(open_workspace(ui.wiki), id)
        case ["belongs", note, *page] if page:
            return _move_note(ui, note, " ".join(page), agent)
        case ["keep" | "erase", id]:
            return _decide(ui, action[0], id)
        case _:
            doc = _answer(ui, action, agent)
    ui.result(doc, text(doc, explain=explain))
    for hint in _list_hints(doc, action):
        ui.hint(hint)
    return 0


def _list_hints(doc: Doc, action: list[str]) -> Iterator[str]:
    """Yield what a person can do next, or that nothing is to be done."""
    if doc.get("set_aside"):
        yield _SETTLED_BY
    elif doc.get("items") == [] and not doc.get("locked"):
        yield "No question awaits an answer."
    kinds = {item["kind"] for item in doc.get("items", [doc]) if "kind" in item}
    if not action or action[0] == "show":
        yield from _list_choices(kinds)
    if action and action[0] != "show":
        yield "The next `companion consolidate` weighs the answer; until then you may change it."


def _list_choices(kinds: Collection[str]) -> Iterator[str]:
    """Yield how questions of these *kinds* are answered."""
    from companion.reading.question_wording import DISPUTED, WORDINGS

    for kind in sorted(kinds):
        wording = WORDINGS.get(kind, DISPUTED)
        answers = [
            f"`companion review {_name_choice(choice)}`: {words}"
            for choice, words in wording.answers.values()
        ]
        choices = answers or ["`companion review prefer ID CLAIM`"]
        yield f"{wording.question} {'; '.join(choices)}."


def _name_choice(choice: str) -> str:
    """Return *choice* as it is typed: "prefer ID new"."""
    verb, _, side = choice.partition("-")
    return f"{verb} ID {side}".rstrip()


def _ask(ui: Ui, agent: str | None) -> bool:
    """Ask the questions on a terminal; return False where there is none, or no question."""
    from companion.cli.screen.keys import can_ask

    if not can_ask():
        return False
    from companion.reading.review import list_review
    from companion.workspace import open_workspace

    ws = open_workspace(ui.wiki, agent)
    if not list_review(ws)["open"]:
        return False
    from companion.cli.screen.review_dialogue import ask_questions

    ask_questions(ui, ws, agent=agent)
    return True


def _move_note(ui: Ui, note: str, page: str, agent: str | None) -> int:
    """Move *note* to the page that it belongs on, and print where it stands now."""
    from companion.operations.consolidate.belongs import belongs
    from companion.workspace import open_workspace

    ws = open_workspace(ui.wiki, agent)
    doc = belongs(ws, note, page, agent=agent)
    ui.result(doc, moved_text(doc))
    ui.hint("`companion undo` takes it back.")
    return 0


def _decide(ui: Ui, choice: str, id: str) -> int:
    """Keep or erase an original with secrets, and print what became of it."""
    from companion.operations.contextualize.decide import decide
    from companion.workspace import open_workspace

    doc = decide(
        open_workspace(ui.wiki), id, "keep" if choice == "keep" else "erase"
    )
    ui.result(doc, decided_text(doc))
    if choice == "keep":
        ui.hint("`companion contextualize` reads it now.")
    return 0


def decided_text(doc: Doc) -> Iterator[str]:
    """Yield what became of an original with secrets."""
    did = "kept" if doc["choice"] == "keep" else "erased"
    yield f"{did} {doc['origin'] or short(doc['original'])}"
    yield from ending(doc, "")


def moved_text(doc: Doc) -> Iterator[str]:
    place = f"{doc['title']}  {doc['path']}"
    if doc["begun"]:
        yield f"begun {place}"
    if doc["moved_from"]:
        yield f"moved {short(doc['capture'])} from {doc['moved_from']} to {place}"
    else:
        yield f"{short(doc['capture'])} goes to {place} with the next night"
    yield from ending(doc, "")


def _answer(ui: Ui, action: list[str], agent: str | None) -> Doc:
    from companion.reading.review import (
        answer_question,
        prefer_claim,
        take_back_answer,
    )
    from companion.workspace import open_workspace

    match action:
        case ["accept" | "reject" | "merge" as choice, id]:
            ws = open_workspace(ui.wiki, agent)
            return answer_question(ws, id, choice, agent=agent)
        case ["prefer", id, "new" | "old" as side]:
            ws = open_workspace(ui.wiki, agent)
            return answer_question(ws, id, f"prefer-{side}", agent=agent)
        case ["undo", id]:
            ws = open_workspace(ui.wiki, agent)
            return take_back_answer(ws, id, agent=agent)
        case ["prefer", id, claim]:
            ws = open_workspace(ui.wiki, agent)
            return prefer_claim(ws, id, claim, agent=agent)
    raise no_such_action(
        "review",
        "nothing, `show|accept|reject|merge|undo ID`, or `prefer ID new|old|CLAIM`",
        action,
        _ACTIONS,
    )


def text(doc: Doc, *, explain: bool = False) -> Iterator[str]:
    """Yield each question, with both sides where one is shown, and what awaits an audit."""
    for item in doc.get("items", [doc]):
        yield from _question(item, explain=explain)
    for side in doc.get("sides", ()):
        yield from _side(side)
    yield from section("kept back, for a night found a secret", _locked(doc))
    queue = [
        (name_of(item["entry"]), reason_of(item["reason"], explain=explain))
        for item in doc.get("queue", ())
    ]
    yield from section("awaiting an audit", queue)
    yield from section("set aside, for it could not be believed", _aside(doc))


def _aside(doc: Doc) -> Iterator[tuple[str, str]]:
    """Yield what syncs set aside, each with the reason."""
    listed = doc.get("set_aside", [])[:_LISTED]
    for item in listed:
        name = item["path"]
        if item["capture"]:
            name = f"capture {short(item['capture'])}"
        yield f"{item['id']}  {name} of {item['remote']}", item["reason"]
    more = doc.get("set_aside_count", 0) - len(listed)
    if more > 0:
        yield f"{more:,} more", "`companion doctor` lists them by remote"


def _locked(doc: Doc) -> Iterator[tuple[str, str]]:
    """Yield the originals that wait for their owner, and which secrets they hold."""
    for item in doc.get("locked", ()):
        kinds = ", ".join(item["kinds"])
        id = short(item["original"])
        what = f"{kinds}: `companion review keep {id}` or `erase {id}`"
        yield f"{id}  {item['origin']}", what


def _question(item: Doc, *, explain: bool) -> Iterator[str]:
    answered = ""
    if item["answer"]:
        answered = f"  (answered {item['answer']} by {_person(item['by'])})"
    heading = _HEADINGS.get(item["kind"], item["kind"])
    yield Title(f"{item['id']}  {heading}{answered}")
    against = ""
    if item["other"]:
        against = f"  against  {name_of(item['other'])}"
    yield f"  {name_of(item['entry'])}{against}"
    if "sides" not in item:
        yield from _quotes(item["quotes"])
    yield f"  {item['reason'] if explain else tell_question(item)}"
    for claim in item["claims"]:
        source = f"  · {claim['source']}" if claim["source"] else ""
        words = f"{claim['subject']} · {claim['predicate']}: {claim['object']}"
        yield f"  {claim['id']}  {words}{source}"


def _quotes(quotes: list[Doc]) -> Iterator[Field | str]:
    """Yield how both sides begin, or the one that there is."""
    if len(quotes) == 1:
        yield f"  “{quotes[0]['words']}”"
        return
    for quote in quotes:
        yield Field(f"{quote['side']}:", quote["words"], indent=2)


def _person(judge: str | None) -> str:
    """Return who answered, without the kind and the version: ``Ada <ada@example.org>``."""
    kind, _, rest = (judge or "").partition("/")
    return rest.partition("/")[2] if kind in ("person", "agent") else kind


def _side(side: Doc) -> Iterator[str]:
    yield ""
    yield Title(f"{side['side']}: {titled(side)}  ({side['kind']})")
    yield from (f"  {line}" for line in side["text"].rstrip("\n").split("\n"))
    if side["sources"]:
        yield Field("sources:", ", ".join(side["sources"]), indent=2)
    if side["dependents"]:
        pages = ", ".join(name_of(page) for page in side["dependents"])
        yield Field("needed by:", pages, indent=2)
