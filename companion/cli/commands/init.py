"""`companion init`: begin a wiki here, or adopt the notes that are here already."""

from collections.abc import Iterator

from companion.cli.format import Doc, ending, left_out
from companion.cli.lines import Field, Title
from companion.cli.output import Ui
from companion.cli.spec import DRY_RUN, Argument, Command

SPEC = Command(
    help="Begin a wiki here, or adopt the notes that are here.\n\n"
    "An existing vault or repository is adopted in place: only .companion/ is added.",
    argument=Argument(
        "directory", "DIR", "The folder; this one when not given."
    ),
    options=(DRY_RUN,),
)


def run(ui: Ui, *, directory: str | None, dry_run: bool) -> int:
    """Begin a wiki and print where it is."""
    from companion.maintenance.init import init

    where = directory
    if where is None:
        where = ui.wiki or "."
    with ui.progress("adopting pages") as progress:
        doc = init(where, dry_run=dry_run, progress=progress)
    ui.result(doc, text(doc))
    if dry_run:
        ui.hint_dry_run()
    else:
        ui.hint(
            '`companion ingest "a thought"` captures a note; `companion consolidate` makes pages '
            "of notes."
        )
    return 0


def text(doc: Doc) -> Iterator[str]:
    """Yield where the wiki is, and how many pages it adopted."""
    yield Title(f"wiki    {doc['wiki']}")
    yield Field("branch", doc["branch"], width=6)
    yield Field("pages", f"{doc['pages']:,}", width=6)
    yield from left_out(doc)
    yield from ending(doc, "")
