"""`companion import`: make a new wiki from an export."""

from collections.abc import Iterator

from companion.cli.format import Doc, commit_of, exchanged
from companion.cli.lines import Field, Title
from companion.cli.output import Ui
from companion.cli.spec import Argument, Command

SPEC = Command(
    help="Make a new wiki from an export.\n\n"
    "It has the same pages, notes and record. It is made in the folder that --wiki names, "
    "else in this one; the folder must be new or empty.",
    argument=Argument(
        "directory",
        "DIR",
        "The folder that `companion export` wrote.",
        required=True,
    ),
)


def run(ui: Ui, *, directory: str) -> int:
    """Import an export and print how much was read."""
    from companion import workspace
    from companion.maintenance.importing import import_wiki

    with ui.progress("importing files") as progress:
        doc = import_wiki(
            directory, workspace.choose_folder(ui.wiki), progress=progress
        )
    ui.result(doc, text(doc))
    return 0


def text(doc: Doc) -> Iterator[str]:
    """Yield where the wiki is and what it holds."""
    yield Title(f"imported into {doc['wiki']}")
    yield Field("branch", doc["branch"], width=6)
    yield from exchanged(doc)
    yield commit_of(doc)
