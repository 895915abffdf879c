"""`companion why`: every decision about a page or capture, with its reason; or what depends on it."""

from collections.abc import Iterator

from companion.cli.entry_text import used, vitality, weight
from companion.cli.format import Doc, reason_of, short, titled, when
from companion.cli.options import EXPLAIN, READER, TARGET
from companion.cli.output import Title, Ui
from companion.cli.spec import Command, Option

SPEC = Command(
    help="Every decision about a page or capture, with its reason; or what depends on it.",
    argument=TARGET,
    options=(
        Option(
            "depends",
            ("--depends",),
            "List all that depends on a page or a claim, with the path.",
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
    from companion.workspace import open_workspace

    if depends:
        from companion.reading.dependents import find_dependents

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
        yield from _depends(doc)
        return
    title = doc["id"] if doc["kind"] == "run" else titled(doc)
    yield Title(f"{title}  ({doc['kind']})")
    yield from weight(doc, explain=explain)
    yield from used(doc, explain=explain)
    if explain:
        yield from vitality(doc)
    last_run = None
    for event in doc["events"]:
        if (event["run"], event["time"]) != last_run:
            yield f"  {when(event['time'])}  {event['operation']:<11}  {event['run'] or ''}".rstrip()
        last_run = (event["run"], event["time"])
        reason = reason_of(event["reason"] or "", explain=explain)
        yield f"    {event['event']:<10}  {_about(event, doc['id'])}{reason}".rstrip()


def _depends(doc: Doc) -> Iterator[str]:
    yield Title(
        f"{doc['title'] or short(doc['id'])}  ({doc['kind']}): {doc['count']:,} depend on it"
    )
    for each in doc["rests"]:
        yield f"  {each['kind']:<5}  {each['title'] or short(each['id'])}  {short(each['id'])}"
        if len(each["path"]) > 1:
            yield "         over " + ", ".join(
                step["title"] or short(step["id"]) for step in each["path"][:-1]
            )
        yield from (f"         {step['how']}" for step in each["path"][-1:])
    if doc["beyond"]:
        yield "  … and more, too far away to be listed"


def _about(event: Doc, target: str) -> str:
    """Name what an event is about, unless it is the thing that was asked for."""
    if event["subject"] == target:
        return ""
    detail = event["detail"]
    return f"{detail.get('path') or detail.get('branch') or short(event['subject'])}: "
