"""`companion branches`: the notes that contradict a protected page, and how near they are to winning."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from companion.cli.errors import Usage
from companion.cli.format import Doc, called, reason_of, short, when
from companion.cli.options import EXPLAIN
from companion.cli.output import Title, Ui
from companion.cli.spec import Argument, Command
from companion.values.wording import many, times_in_words

SPEC = Command(
    help="List the notes that contradict protected pages, and how near they are to winning.\n\n"
    "A note that contradicts a page on which others depend goes into a minority branch. It wins when enough "
    "independent sources say the same. "
    "`branches show NAME` names its members, `diff NAME` says what would change if it won, and `open NAME` writes "
    "the wiki as it would look then into a new temporary folder.",
    argument=Argument(
        "action", "ACTION", "show NAME, diff NAME, or open NAME.", many=True
    ),
    options=(EXPLAIN,),
)


def run(ui: Ui, *, action: list[str], explain: bool) -> int:
    from companion.reading import branches as minority
    from companion.workspace import open_workspace

    doc: Doc
    match action:
        case []:
            doc = minority.list_branches(open_workspace(ui.wiki))
            ui.result(doc, text(doc, explain=explain))
            if not doc["branches"]:
                ui.hint("no branch: no note contradicts a protected page.")
        case ["show", name]:
            doc = minority.show_branch(open_workspace(ui.wiki), name)
            ui.result(doc, text(doc, explain=explain))
        case ["diff", name]:
            doc = minority.diff_branch(open_workspace(ui.wiki), name)
            ui.result(doc, text(doc, explain=explain))
        case ["open", name]:
            doc = minority.open_branch(open_workspace(ui.wiki), name)
            ui.result(doc, text(doc, explain=explain))
            ui.hint(
                "the folder is yours: nothing in it reaches the wiki, and it may be removed at any time."
            )
        case _:
            raise Usage("branches takes nothing, or `show|diff|open NAME`")
    return 0


def text(doc: Doc, *, explain: bool = False) -> Iterator[str]:
    """Yield each branch and what every night did to it; with *explain* also pressure, threshold and
    the rules applied.
    """
    for each in doc.get("branches", [doc]):
        yield from _branch(each, explain=explain)
    for member in doc.get("members", ()):
        yield from _voice(member)
    for file in doc.get("files", ()):
        yield from file["diff"].split("\n")
    if doc.get("folder"):
        yield f"as it would look: {doc['folder']}"


def _branch(doc: Doc, *, explain: bool) -> Iterator[str]:
    became = f" → {called(doc['entry'])}" if doc["entry"] else ""
    yield Title(f"{doc['name']}  ({doc['state']}{became})")
    yield f"  against   {called(doc['incumbent'])}"
    if doc["threshold"] and doc["pressure"] is not None:
        numbers = (
            f"{doc['pressure']:.2f} of {doc['threshold']:.2f}  "
            if explain
            else ""
        )
        yield f"  pressure  {numbers}{bar(doc['pressure'] / doc['threshold'])}"
    if doc["why"]:
        yield f"  why       {doc['why']}"
    yield (
        f"  members   {many(doc['cluster_size'], 'note')}, {many(doc['contradictions'], 'contradiction')}; "
        f"open for {many(doc['cycles_open'], 'cycle')}"
    )
    yield from _history(
        doc["history"], reasons="members" in doc, explain=explain
    )


def _history(
    events: Sequence[Doc], *, reasons: bool, explain: bool
) -> Iterator[str]:
    """Yield a line for what each night did to a branch; with *reasons* also why, with *explain*
    also the pressure and the threshold.
    """
    for (time, _), each in groupby(
        events, key=lambda event: (event["time"], event["run"])
    ):
        night = list(each)
        numbers = _pressure(night) if explain else ""
        undone = "  (taken back)" if night[0]["undone"] else ""
        yield f"  {when(time)}  {', '.join(_happened(night)):<18}  {numbers}{undone}".rstrip()
        if reasons:
            said = dict.fromkeys(
                reason_of(event["reason"], explain=explain) for event in night
            )
            yield from (f"    {reason}" for reason in said if reason)


def _pressure(night: Sequence[Doc]) -> str:
    """Return pressure and threshold as ``0.94 of 2.07``; empty if the night weighed nothing."""
    for event in night:
        if event["threshold"] and event["pressure"] is not None:
            return f"{event['pressure']:.2f} of {event['threshold']:.2f}"
    return ""


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
    side = "" if member["contradicts"] else ", supports the branch"
    yield f"  {short(member['capture'])}  {when(member['joined'])}  {who}, told {times_in_words(member['tellings'])}{side}"
    yield f"    {member['text']}"
