"""`companion import`: make a new wiki from an export: the same pages, notes and record."""

from collections.abc import Iterator

from companion.cli.format import Doc, commit_of, exchanged
from companion.cli.output import Title, Ui
from companion.cli.spec import Argument, Command

SPEC = Command(
    help="Make a new wiki from an export: the same pages, notes and record.\n\n"
    "The wiki comes to be in the folder that --wiki names, else in this one; it must be new or empty.",
    argument=Argument(
        "directory",
        "DIR",
        "The folder that `companion export` wrote.",
        required=True,
    ),
)


def run(ui: Ui, *, directory: str) -> int:
    from companion import workspace
    from companion.maintenance.importing import import_wiki

    with ui.progress("importing files") as progress:
        doc = import_wiki(
            directory, workspace.choose_folder(ui.wiki), progress=progress
        )
    ui.result(doc, text(doc))
    return 0


def text(doc: Doc) -> Iterator[str]:
    yield Title(f"wiki    {doc['wiki']}")
    yield f"branch  {doc['branch']}"
    yield from exchanged(doc)
    yield commit_of(doc)
