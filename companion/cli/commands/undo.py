"""`companion undo`: take back what one run did, as a new run that says so."""

from collections.abc import Iterator

from companion.cli.format import Doc, ending, left_out, section
from companion.cli.lines import Title
from companion.cli.output import Ui
from companion.cli.spec import DRY_RUN, Argument, Command

SPEC = Command(
    help="Take back what one run did, in a new commit.\n\n"
    "Pages go back to what they held before it; lines you changed since stay. An undo can "
    "be undone, too.",
    argument=Argument(
        "run",
        "RUN",
        "A run's name or its commit, or the beginning of either.",
        required=True,
    ),
    options=(DRY_RUN,),
)


def run(ui: Ui, *, run: str, dry_run: bool) -> int:
    """Take back a run and print which pages changed."""
    from companion.adoption.undo import undo
    from companion.workspace import open_workspace

    doc = undo(open_workspace(ui.wiki), run, dry_run=dry_run)
    ui.result(doc, text(doc))
    if dry_run:
        ui.hint_dry_run()
    elif doc["run"]:
        ui.hint(f"`companion undo {doc['run']}` takes this back.")
    return 0


def text(doc: Doc) -> Iterator[str]:
    """Yield the pages that were restored, removed and left out."""
    yield Title(f"undo of {doc['undone']}")
    yield from section("restored", [(path, "") for path in doc["restored"]])
    removed = [(path, "git keeps what it held") for path in doc["removed"]]
    yield from section("removed", removed)
    yield from left_out(doc)
    yield from ending(doc, "every page is as it was before that run already")
