"""`companion open`: open a page in the app for Markdown, or say where it lies."""

from collections.abc import Iterator

from companion.cli.format import Doc
from companion.cli.output import Ui
from companion.cli.spec import TARGET, Command

SPEC = Command(
    help="Open a page in your app for Markdown.\n\n"
    "Where there is no app, or no screen, it prints the path of the file.",
    argument=TARGET,
)


def run(ui: Ui, *, target: list[str]) -> int:
    """Open a page, and print its path."""
    from companion.maintenance.editing.edit_page import open_page
    from companion.usage.record_read import record_read
    from companion.workspace import find_opener, open_workspace

    ws = open_workspace(ui.wiki)
    doc = open_page(ws, " ".join(target), find_opener())
    ui.result(doc, text(doc))
    if not doc["opened"]:
        ui.hint("No app for Markdown opened; the file is there.")
    page = doc["page"]["id"]
    ui.hint_unrecorded(record_read(ws, "show", "", [page]))
    return 0


def text(doc: Doc) -> Iterator[str]:
    """Yield the path of the file."""
    yield doc["file"]
