"""`companion models`: which models judge notes: installed, in use, and what they cost."""

from collections.abc import Iterator

from companion.cli.errors import Usage
from companion.cli.format import MANY, Doc, ending, judges_asked, section
from companion.cli.lines import Field, Title
from companion.cli.output import Ui
from companion.cli.spec import DRY_RUN, EXPLAIN, MAX_CALLS, Argument, Command
from companion.values.wording import many

SPEC = Command(
    help="List the models that judge notes, or switch to one.\n\n"
    "`models use light|vectors|semantic[:CROSS-ENCODER]|llm:MODEL` switches, as a run of its own: "
    "no page changes. The new model then looks at the pages on which most depends; "
    "`companion review` lists those that it contradicts.",
    argument=Argument("action", "ACTION", "use NAME.", many=True),
    options=(DRY_RUN, MAX_CALLS, EXPLAIN),
)


def run(
    ui: Ui,
    *,
    action: list[str],
    dry_run: bool,
    max_calls: int | None,
    explain: bool,
) -> int:
    """Print the models, or switch to one; raises Usage if *action* is neither."""
    from companion.maintenance.list_reasoners import list_reasoners
    from companion.maintenance.switch_reasoner import use
    from companion.workspace import open_workspace

    doc: Doc
    match action:
        case [] if not dry_run and max_calls is None:
            doc = list_reasoners(open_workspace(ui.wiki))
            ui.result(doc, text(doc, explain=explain))
        case ["use", name]:
            with ui.progress("embedding pages") as progress:
                doc = use(
                    open_workspace(ui.wiki),
                    name,
                    dry_run=dry_run,
                    max_calls=max_calls,
                    progress=progress,
                )
            ui.result(doc, text(doc, explain=explain))
            if doc["flagged"]:
                ui.hint(
                    "`companion review` shows what the new model contradicts."
                )
        case _:
            raise Usage(
                "models takes nothing, or `use light|vectors|semantic[:MODEL]|llm:MODEL`",
                hint="See `companion models --help`.",
            )
    return 0


def text(doc: Doc, *, explain: bool = False) -> Iterator[str]:
    """Yield each model and what it costs; with *explain* also the version that does each job."""
    if "reasoners" not in doc:
        yield from _switched(doc, explain=explain)
        return
    for reasoner in doc["reasoners"]:
        yield from _reasoner(reasoner, explain=explain)
    yield "Download, memory and time are rough figures from another machine."
    yield (
        f"Limits of a night: {doc['max_calls']:,} calls and {doc['max_tokens']:,} tokens."
    )


def _reasoner(reasoner: Doc, *, explain: bool) -> Iterator[str]:
    yield Title(f"{reasoner['name']}  ({_state(reasoner)})")
    weights = ""
    if explain and reasoner["weights"]:
        weights = f"  sha256 {reasoner['weights'][:12]}"
    yield _field("model", (reasoner["model"] or "-") + weights)
    if reasoner["trouble"]:
        yield _field("trouble", reasoner["trouble"])
    if explain:
        yield from _judges(reasoner)
    for name in ("download", "memory", "time", "calls"):
        yield _field(name, reasoner[name])
    if reasoner["models"]:
        yield _field("choice", ", ".join(reasoner["models"][:MANY]))


def _state(reasoner: Doc) -> str:
    if reasoner["in_use"]:
        return "in use"
    return "installed" if reasoner["installed"] else "not installed"


def _judges(doc: Doc) -> Iterator[str]:
    yield from (_field(job, judge) for job, judge in doc["judges"].items())


def _field(label: str, words: str) -> str:
    return Field(label, words, width=9, indent=2)


def _switched(doc: Doc, *, explain: bool) -> Iterator[str]:
    verb = "would use" if doc["dry_run"] else "now uses"
    model = f" {doc['model']}" if doc["model"] else ""
    yield Title(f"{verb} {doc['reasoner']}{model}")
    if explain:
        yield from _judges(doc)
    yield _field("embedded", many(doc["embedded"], "page"))
    for judged in judges_asked(doc, explain=explain):
        yield _field("judged", judged)
    flagged = [(item["entry"], item["reason"]) for item in doc["flagged"]]
    yield from section("to review", flagged)
    yield from ending(doc, "")
