"""`companion export`: write everything to plain files in a new folder."""

from collections.abc import Iterator

from companion.cli.format import Doc, exchanged
from companion.cli.lines import Title
from companion.cli.output import Ui
from companion.cli.spec import PRIVATE, Argument, Command

SPEC = Command(
    help="Write everything to plain files in a new folder.",
    argument=Argument(
        "directory",
        "DIR",
        "A new or empty folder, outside the wiki.",
        required=True,
    ),
    options=(PRIVATE,),
)


def run(ui: Ui, *, directory: str, with_private: bool) -> int:
    """Export the wiki and print how much was written."""
    from companion.maintenance.export import export
    from companion.workspace import open_workspace

    with ui.progress("exporting files") as progress:
        doc = export(
            open_workspace(ui.wiki),
            directory,
            with_private=with_private,
            progress=progress,
        )
    ui.result(doc, text(doc))
    return 0


def text(doc: Doc) -> Iterator[str]:
    """Yield the folder and what it holds."""
    yield Title(f"exported to {doc['directory']}")
    yield from exchanged(doc)
