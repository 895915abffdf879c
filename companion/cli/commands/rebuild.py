"""`companion rebuild`: build the index anew from git."""

from collections.abc import Iterator

from companion.cli.format import Doc
from companion.cli.output import Ui
from companion.cli.spec import Command
from companion.values.wording import many

SPEC = Command(
    help="Build the index anew from git.",
)


def run(ui: Ui) -> int:
    """Rebuild the index and print how much it holds."""
    from companion.maintenance.init import rebuild
    from companion.workspace import open_workspace

    with ui.progress("reading runs") as progress:
        doc = rebuild(open_workspace(ui.wiki), progress=progress)
    ui.result(doc, text(doc))
    return 0


def text(doc: Doc) -> Iterator[str]:
    """Yield how much the index holds."""
    parts = (
        many(doc["entries"], "entry"),
        many(doc["edges"], "link"),
        many(doc["runs"], "run"),
    )
    yield f"index rebuilt: {', '.join(parts)}"
