"""`companion branches`: what stands against the wiki, and how hard it presses."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from companion.cli.errors import Usage
from companion.cli.format import Doc, called, short, when
from companion.cli.output import Title, Ui
from companion.cli.spec import Argument, Command
from companion.values.wording import many, times_in_words

SPEC = Command(
    help="What stands against the wiki, and how hard it presses.\n\n"
    "What contradicts an entry that much rests on goes into a minority branch and must earn its way there. "
    "`branches show NAME` names its members, `diff NAME` says what would change if it won, and `open NAME` writes "
    "the wiki as it would look then into a new temporary folder.",
    argument=Argument("action", "ACTION", "show NAME, diff NAME, or open NAME.", many=True),
)


def run(ui: Ui, *, action: list[str]) -> int:
    from companion.reading import branches as minority
    from companion.workspace import open_workspace

    match action:
        case []:
            doc = minority.listing(open_workspace(ui.wiki))
            ui.result(doc, text(doc))
            if not doc["branches"]:
                ui.hint("no branch: nothing contradicts what the wiki rests on.")
        case ["show", name]:
            doc = minority.show(open_workspace(ui.wiki), name)
            ui.result(doc, text(doc))
        case ["diff", name]:
            doc = minority.diff(open_workspace(ui.wiki), name)
            ui.result(doc, text(doc))
        case ["open", name]:
            doc = minority.checkout(open_workspace(ui.wiki), name)
            ui.result(doc, text(doc))
            ui.hint(
                "the folder is yours: nothing in it reaches the wiki, and it may be removed at any time."
            )
        case _:
            raise Usage("branches takes nothing, or `show|diff|open NAME`")
    return 0


def text(doc: Doc) -> Iterator[str]:
    for each in doc.get("branches", [doc]):
        yield from _branch(each)
    for member in doc.get("members", ()):
        yield from _voice(member)
    for file in doc.get("files", ()):
        yield from file["diff"].split("\n")
    if doc.get("folder"):
        yield f"as it would look: {doc['folder']}"


def _branch(doc: Doc) -> Iterator[str]:
    became = f" → {called(doc['entry'])}" if doc["entry"] else ""
    yield Title(f"{doc['name']}  ({doc['state']}{became})")
    yield f"  against   {called(doc['incumbent'])}"
    if doc["threshold"] and doc["pressure"] is not None:
        yield f"  pressure  {doc['pressure']:.2f} of {doc['threshold']:.2f}  {bar(doc['pressure'] / doc['threshold'])}"
    if doc["why"]:
        yield f"  why       {doc['why']}"
    yield (
        f"  cluster   {many(doc['cluster_size'], 'member')}, {many(doc['contradictions'], 'contradiction')}, "
        f"{many(doc['cycles_open'], 'cycle')} open"
    )
    yield from _history(doc["history"], reasons="members" in doc)


def _history(events: Sequence[Doc], *, reasons: bool) -> Iterator[str]:
    """Say what each night did to a branch: a line with its numbers, and its reasons where they are
    asked for.
    """
    for (time, _), each in groupby(events, key=lambda event: (event["time"], event["run"])):
        night = list(each)
        weighed = next((e for e in night if e["threshold"] and e["pressure"] is not None), None)
        numbers = f"{weighed['pressure']:.2f} of {weighed['threshold']:.2f}" if weighed else ""
        undone = "  (taken back)" if night[0]["undone"] else ""
        yield f"  {when(time)}  {', '.join(_happened(night)):<18}  {numbers}{undone}".rstrip()
        if reasons:
            yield from (
                f"    {reason}" for reason in dict.fromkeys(e["reason"] for e in night) if reason
            )


def _happened(night: Sequence[Doc]) -> Iterator[str]:
    joined = sum(event["event"] == "joined" for event in night)
    for name in dict.fromkeys(event["event"] for event in night):
        if name == "joined":
            yield f"{joined} joined"
        elif name != "weighed" or len(night) == 1:
            yield _HAPPENED.get(name, name)


_HAPPENED = {"branched": "opened", "weighed": "told again"}


def bar(share: float, width: int = 20) -> str:
    """Return a share of 1, 0 or more, as a bar; what is beyond 1 is full."""
    full = int(max(0.0, min(1.0, share)) * width)
    return f"[{'#' * full}{'.' * (width - full)}]"


def _voice(member: Doc) -> Iterator[str]:
    who = ", ".join((*member["agents"], *member["sources"])) or "yours"
    side = "" if member["contradicts"] else ", which only supports it"
    yield f"  {short(member['capture'])}  {when(member['joined'])}  {who}, told {times_in_words(member['tellings'])}{side}"
    yield f"    {member['text']}"
