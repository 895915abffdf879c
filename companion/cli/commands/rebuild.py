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
    from companion.maintenance import init as care
    from companion.workspace import open_workspace

    with ui.progress("folding runs") as progress:
        doc = care.rebuild(open_workspace(ui.wiki), progress=progress)
    ui.result(doc, text(doc))
    return 0


def text(doc: Doc) -> Iterator[str]:
    parts = (
        many(doc["entries"], "entry"),
        many(doc["edges"], "edge"),
        many(doc["runs"], "run"),
    )
    yield f"index rebuilt: {', '.join(parts)}"
