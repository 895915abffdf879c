"""`companion unpin`: let a pinned page fade like any other."""

from companion.cli.commands.pin import text
from companion.cli.output import Ui
from companion.cli.spec import TARGET, Command

SPEC = Command(
    help="Let a pinned page fade like any other.",
    argument=TARGET,
)


def run(ui: Ui, *, target: list[str]) -> int:
    """Unpin a page and print it."""
    from companion.operations.decay.owners_marks import pin
    from companion.workspace import open_workspace

    doc = pin(open_workspace(ui.wiki), " ".join(target), pinned=False)
    ui.result(doc, text(doc))
    return 0
