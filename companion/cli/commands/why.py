"""`companion why`: every decision about a page or capture, or what depends on it."""

from collections.abc import Iterator, Mapping

from companion.cli.entry_text import place, used, vitality, weight
from companion.cli.format import Doc, at, kind_of, reason_of, short, titled
from companion.cli.lines import Aside, Field, Row, Title
from companion.cli.output import Ui
from companion.cli.spec import EXPLAIN, READER, TARGET, Command, Option

SPEC = Command(
    help="Explain every decision about a page or capture.\n\n"
    "Each decision comes with its run and its reason. --depends lists what depends on it "
    "instead.",
    argument=TARGET,
    options=(
        Option(
            "depends",
            ("--depends",),
            "List everything that depends on a page or a claim, and how.",
            "flag",
            False,
        ),
        EXPLAIN,
        READER,
    ),
    hot=True,
)


def run(
    ui: Ui,
    *,
    target: list[str],
    depends: bool,
    explain: bool,
    agent: str | None,
) -> int:
    """Print the decisions about a target, or what depends on it."""
    from companion.workspace import open_workspace

    if depends:
        from companion.reading.entry.dependents import find_dependents

        dependents = find_dependents(
            open_workspace(ui.wiki, agent), " ".join(target)
        )
        ui.result(dependents, text(dependents))
        return 0
    from companion.reading.why import explain_target

    doc = explain_target(open_workspace(ui.wiki, agent), " ".join(target))
    ui.result(doc, text(doc, explain=explain))
    return 0


def text(doc: Doc, *, explain: bool = False) -> Iterator[str]:
    """Yield each decision under its run; with *explain* also the numbers and rules behind it."""
    if "rests" in doc:
        yield from _dependents(doc)
        return
    title = doc["id"] if doc["kind"] == "run" else titled(doc)
    yield Title(f"{title}  ({doc['kind']})")
    yield from weight(doc, explain=explain)
    yield from used(doc, explain=explain)
    if explain:
        yield from vitality(doc)
    yield from place(doc)
    for advice in doc.get("elsewhere", ()):
        yield Field("elsewhere", f"{advice} (advice: it protects nothing here)")
    last_run = None
    for event in doc["events"]:
        run = (event["run"], event["time"])
        if run != last_run:
            yield _run(event, doc.get("by", {}))
        last_run = run
        yield _event(event, doc["id"], explain=explain)


def _run(event: Doc, by: Mapping[str, str]) -> str:
    line = (
        f"  {at(event['time'])}  {event['operation']:<11}  {event['run'] or ''}"
    )
    who = by.get(event["run"] or "")
    return Aside(f"{line} by {who}" if who else line.rstrip())


def _event(event: Doc, target: str, *, explain: bool) -> str:
    reason = reason_of(event["reason"] or "", explain=explain)
    return Row(
        event["event"],
        _about(event, target) + reason,
        widths=(10,),
        indent=4,
    )


def _about(event: Doc, target: str) -> str:
    """Name what an event is about, unless it is the thing that was asked for."""
    if event["subject"] == target:
        return ""
    detail = event["detail"]
    name = detail.get("path") or detail.get("branch")
    return f"{name or short(event['subject'])}: "


def _dependents(doc: Doc) -> Iterator[str]:
    yield Title(
        f"{titled(doc)}  ({kind_of(doc)}): {doc['count']:,} depend on it"
    )
    for dependent in doc["rests"]:
        name = f"{titled(dependent)}  {short(dependent['id'])}"
        yield f"  {kind_of(dependent):<5}  {name}"
        between = dependent["path"][:-1]
        if between:
            over = ", ".join(titled(step) for step in between)
            yield f"         over {over}"
        for last in dependent["path"][-1:]:
            yield f"         {last['how']}"
    if doc["beyond"]:
        yield "  … and more, too far away to be listed"
