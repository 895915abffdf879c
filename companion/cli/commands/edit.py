"""`companion edit`: open a page in the editor, and take in what was saved."""

from collections.abc import Iterator

from companion.cli.format import Doc, commit_of
from companion.cli.lines import Title
from companion.cli.output import Ui
from companion.cli.spec import TARGET, Command

SPEC = Command(
    help="Edit a page, and take in what you saved when you close it.\n\n"
    "The editor is VISUAL, else EDITOR. It must wait until you close the page: `code --wait`. "
    "Changes of other pages stay for `companion adopt`.",
    argument=TARGET,
)


def run(ui: Ui, *, target: list[str]) -> int:
    """Let the person edit a page, and print what became of it."""
    import time

    from companion.maintenance.editing.edit_page import edit_page
    from companion.workspace import find_editor, open_workspace

    ws = open_workspace(ui.wiki)
    ui.flush()
    doc = edit_page(ws, " ".join(target), find_editor(), clock=time.monotonic)
    ui.result(doc, text(doc))
    if doc["returned_at_once"]:
        ui.hint(
            "Is the editor still open? It did not wait: save there, then `companion adopt`."
        )
    elif doc["run"]:
        ui.hint(f"`companion undo {doc['run']}` takes it back.")
    return 0


def text(doc: Doc) -> Iterator[str]:
    """Yield whether the page changed, and its commit."""
    did = "edited" if doc["changed"] else "not changed"
    yield Title(f"{doc['page']['title']}: {did}")
    yield from (f"note: {note}" for note in doc["notes"])
    if doc["commit"]:
        yield commit_of(doc)
