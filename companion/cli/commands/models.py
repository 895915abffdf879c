"""`companion models`: who judges what notes say: what is installed, in use, and what it costs."""

from collections.abc import Iterator

from companion.cli.errors import Usage
from companion.cli.format import MANY, Doc, ending, section
from companion.cli.options import DRY_RUN, MAX_CALLS
from companion.cli.output import Title, Ui
from companion.cli.spec import Argument, Command
from companion.values.wording import many

SPEC = Command(
    help="Who judges what notes say: what is installed, in use, and what it costs.\n\n"
    "`models use light|semantic[:CROSS-ENCODER]|llm:MODEL` switches, as a run of its own: no page changes, and the "
    "entries that most rests on and the new model contradicts are flagged for `review`.",
    argument=Argument("action", "ACTION", "use NAME.", many=True),
    options=(DRY_RUN, MAX_CALLS),
)


def run(
    ui: Ui, *, action: list[str], dry_run: bool, max_calls: int | None
) -> int:
    from companion.maintenance import switch_reasoner
    from companion.workspace import open_workspace

    doc: Doc
    match action:
        case [] if not dry_run and max_calls is None:
            doc = switch_reasoner.listing(open_workspace(ui.wiki))
            ui.result(doc, text(doc))
        case ["use", name]:
            with ui.progress("embedding pages") as progress:
                doc = switch_reasoner.use(
                    open_workspace(ui.wiki),
                    name,
                    dry_run=dry_run,
                    max_calls=max_calls,
                    progress=progress,
                )
            ui.result(doc, text(doc))
            if doc["flagged"]:
                ui.hint(
                    "`companion review` shows what the new model contradicts."
                )
        case _:
            raise Usage(
                "models takes nothing, or `use light|semantic[:MODEL]|llm:MODEL`"
            )
    return 0


def text(doc: Doc) -> Iterator[str]:
    if "reasoners" not in doc:
        yield from _models_use(doc)
        return
    for each in doc["reasoners"]:
        state = (
            "in use"
            if each["in_use"]
            else "installed"
            if each["installed"]
            else "not installed"
        )
        yield Title(f"{each['name']}  ({state})")
        yield f"  model     {each['model'] or '-'}" + (
            f"  sha256 {each['weights'][:12]}" if each["weights"] else ""
        )
        if each["trouble"]:
            yield f"  trouble   {each['trouble']}"
        yield from (
            f"  {job:<9} {judge}" for job, judge in each["judges"].items()
        )
        yield from (
            f"  {name:<9} {each[name]}"
            for name in ("download", "memory", "time", "calls")
        )
        if each["models"]:
            yield f"  choice    {', '.join(each['models'][:MANY])}"
    yield "download, memory and time are rough figures from one machine, not measured on this one"
    yield f"caps: {doc['max_calls']:,} calls and {doc['max_tokens']:,} tokens a night"


def _models_use(doc: Doc) -> Iterator[str]:
    would = "would use" if doc["dry_run"] else "now uses"
    yield Title(
        f"{would} {doc['reasoner']}"
        + (f" {doc['model']}" if doc["model"] else "")
    )
    yield from (f"  {job:<9} {judge}" for job, judge in doc["judges"].items())
    yield f"  embedded  {many(doc['embedded'], 'page')}"
    yield from (f"  judged    {tally['said']}" for tally in doc["judged"])
    yield from section(
        "flagged", ((item["entry"], item["reason"]) for item in doc["flagged"])
    )
    yield from ending(doc, "")
