"""`companion branches`: notes that contradict a protected page, and how near they are to win."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from companion.cli.errors import Usage
from companion.cli.format import (
    Doc,
    at,
    called,
    called_statement,
    reason_of,
    short,
)
from companion.cli.lines import Aside, Change, Field, Row, Title
from companion.cli.output import Ui
from companion.cli.spec import EXPLAIN, Argument, Command
from companion.values.wording import many, times_in_words

SPEC = Command(
    help="List the notes that contradict protected pages.\n\n"
    "A note that contradicts a page on which others depend goes into a minority branch. It "
    "wins when enough independent sources say the same. `branches show NAME` lists its "
    "notes, `diff NAME` shows what would change if it won, and `open NAME` writes the wiki "
    "as it would look then into a new temporary folder.",
    argument=Argument(
        "action", "ACTION", "show NAME, diff NAME, or open NAME.", many=True
    ),
    options=(EXPLAIN,),
)


def run(ui: Ui, *, action: list[str], explain: bool) -> int:
    """Print all branches, or one; raises Usage if *action* is neither."""
    from companion.reading.branches.branches import list_branches, show_branch
    from companion.reading.branches.promotion_preview import (
        diff_branch,
        open_branch,
    )
    from companion.workspace import open_workspace

    doc: Doc
    match action:
        case []:
            doc = list_branches(open_workspace(ui.wiki))
        case ["show", name]:
            doc = show_branch(open_workspace(ui.wiki), name)
        case ["diff", name]:
            doc = diff_branch(open_workspace(ui.wiki), name)
        case ["open", name]:
            doc = open_branch(open_workspace(ui.wiki), name)
        case _:
            raise Usage(
                "branches takes nothing, or `show|diff|open NAME`",
                hint="See `companion branches --help`.",
            )
    ui.result(doc, text(doc, explain=explain))
    if doc.get("branches") == []:
        ui.hint("No branch: no note contradicts a protected page.")
    if doc.get("folder"):
        ui.hint("The folder is a copy: nothing done there reaches the wiki.")
    return 0


def text(doc: Doc, *, explain: bool = False) -> Iterator[str]:
    """Yield each branch and what every night did to it; with *explain* also pressure, threshold and
    the rules applied.
    """
    branches = doc.get("branches", [doc])
    for branch in branches:
        yield from _branch(branch, explain=explain)
    if explain and branches:
        yield from _DEVIATIONS
    for member in doc.get("members", ()):
        yield from _member(member)
    for file in doc.get("files", ()):
        yield from map(Change, file["diff"].split("\n"))
    if doc.get("folder"):
        yield f"as it would look: {doc['folder']}"


#: where the rule by which a branch wins is not the paper's, and why (CON-16)
_DEVIATIONS = (
    Title("where this deviates from the paper"),
    "  Row 5 compares pressure with effective gravity. Here the threshold is",
    "  friction x (base + rise x effective gravity): without the base one voice",
    "  would overturn a page on which little depends (MaM §5.0, ROW-5).",
    "  A window may promote what it opened (MaM §5.5). Here a branch waits for",
    "  tellings of a second night: what one evening says is not yet lasting.",
)


def _branch(doc: Doc, *, explain: bool) -> Iterator[str]:
    became = f" → {called(doc['entry'])}" if doc["entry"] else ""
    yield Title(f"{doc['name']}  ({doc['state']}{became})")
    against = called(doc["incumbent"])
    if doc["statement"]:
        against = f"{called_statement(doc['statement'])}, on {against}"
    yield _field("against", against)
    if doc["threshold"] and doc["pressure"] is not None:
        numbers = ""
        if explain:
            numbers = f"{doc['pressure']:.2f} of {doc['threshold']:.2f}  "
        share = doc["pressure"] / doc["threshold"]
        yield _field("pressure", numbers + bar(share))
    if doc["why"]:
        yield _field("why", doc["why"])
    notes = many(doc["cluster_size"], "note")
    against = many(doc["contradictions"], "contradiction")
    nights = many(doc["cycles_open"], "night")
    yield _field("members", f"{notes}, {against}; open for {nights}")
    yield from _history(
        doc["history"], reasons="members" in doc, explain=explain
    )


def _field(label: str, words: str) -> str:
    return Field(label, words, indent=2)


def _history(
    events: Sequence[Doc], *, reasons: bool, explain: bool
) -> Iterator[str]:
    """Yield a line for what each night did to a branch; with *reasons* also why, with *explain*
    also the pressure and the threshold.
    """
    for (time, _), group in groupby(events, key=_night_of):
        night = list(group)
        numbers = _pressure(night) if explain else ""
        if night[0]["undone"]:
            numbers += "  (taken back)"
        happened = ", ".join(_happened(night))
        yield Row(at(time), happened, numbers, widths=(16, 18), indent=2)
        if reasons:
            yield from _reasons(night, explain=explain)


def _night_of(event: Doc) -> tuple[str, str]:
    return event["time"], event["run"]


def _reasons(night: Sequence[Doc], *, explain: bool) -> Iterator[str]:
    """Yield the reason of each event of a night, the same reason once."""
    reasons = [reason_of(event["reason"], explain=explain) for event in night]
    for reason in dict.fromkeys(reasons):
        if reason:
            yield f"    {reason}"


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


def _member(member: Doc) -> Iterator[str]:
    sources = ", ".join((*member["agents"], *member["sources"])) or "you"
    told = f"from {sources}, told {times_in_words(member['tellings'])}"
    side = "" if member["contradicts"] else ", supports the branch"
    known = f"{short(member['capture'])}  {at(member['joined'])}"
    yield Aside(f"  {known}  {told}{side}")
    yield f"    {member['text']}"
