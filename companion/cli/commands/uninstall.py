"""`companion uninstall`: take away what companion put on this machine beside the wiki."""

from collections.abc import Iterator

from companion.cli.format import Doc, section
from companion.cli.lines import Title
from companion.cli.output import Ui
from companion.cli.spec import Command, Option

SPEC = Command(
    help="Show, or with --yes take away, what companion put beside your wiki.\n\n"
    "That is this wiki's schedule, its settings in assistants, shell completion, and what can be "
    "made again of git. Pages, the record and your notes stay.",
    options=(
        Option(
            "yes",
            ("--yes", "-y"),
            "Take it away; else it is only shown.",
            "flag",
            False,
        ),
    ),
)


def run(ui: Ui, *, yes: bool) -> int:
    """Show or take away what is companion's, and print it."""
    import os

    from companion.assistants.uninstall import uninstall
    from companion.workspace import open_workspace

    ws = open_workspace(ui.wiki)
    doc = uninstall(ws, os.path.expanduser("~"), dry_run=not yes)
    ui.result(doc, text(doc))
    if yes:
        ui.hint("Now uninstall the package, for instance by `pipx uninstall`.")
    elif doc["removed"]:
        ui.hint("Nothing was changed. `companion uninstall --yes` does it.")
    return 0


def text(doc: Doc) -> Iterator[str]:
    """Yield what is taken away, and what stays."""
    yield Title(f"uninstall from {doc['wiki']}")
    heading = "would be removed" if doc["dry_run"] else "removed"
    rows = [(one["what"], one["path"]) for one in doc["removed"]]
    yield from section(heading, rows)
    if not rows:
        yield "there is nothing to remove"
    stays = [(one["what"], one["about"]) for one in doc["stays"]]
    yield from section("stays", stays)
