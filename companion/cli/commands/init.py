"""`companion init`: begin a wiki here, or adopt the notes that are here already."""

from collections.abc import Iterator

from companion.cli.format import Doc, ending, section
from companion.cli.options import DRY_RUN
from companion.cli.output import Title, Ui
from companion.cli.spec import Argument, Command

SPEC = Command(
    help="Begin a wiki here, or adopt the notes that are here already.\n\n"
    "An existing vault or repository is adopted in place: only .companion/ is added.",
    argument=Argument(
        "directory", "DIR", "The folder; this one when not given."
    ),
    options=(DRY_RUN,),
)


def run(ui: Ui, *, directory: str | None, dry_run: bool) -> int:
    from companion.maintenance import init as care

    where = directory if directory is not None else ui.wiki or "."
    with ui.progress("adopting pages") as progress:
        doc = care.init(where, dry_run=dry_run, progress=progress)
    ui.result(doc, text(doc))
    if not dry_run:
        ui.hint(
            '`companion ingest "a thought"` captures one; `companion consolidate` makes pages of them.'
        )
    return 0


def text(doc: Doc) -> Iterator[str]:
    yield Title(f"wiki    {doc['wiki']}")
    yield f"branch  {doc['branch']}"
    yield f"pages   {doc['pages']:,}"
    yield from section(
        "left out", ((item["path"], item["reason"]) for item in doc["left_out"])
    )
    yield from ending(doc, "")
