"""`companion undo`: take back what one run did, as a new run that says so."""

from collections.abc import Iterator

from companion.cli.format import Doc, ending, section
from companion.cli.options import DRY_RUN
from companion.cli.output import Title, Ui
from companion.cli.spec import Argument, Command

SPEC = Command(
    help="Take back what one run did, as a new run that says so.\n\n"
    "Pages go back to what they held before it; lines you changed since stay. Also undoes an undo.",
    argument=Argument(
        "run",
        "RUN",
        "A run's name or its commit, or the beginning of either.",
        required=True,
    ),
    options=(DRY_RUN,),
)


def run(ui: Ui, *, run: str, dry_run: bool) -> int:
    from companion.adoption import undo as undoing
    from companion.workspace import open_workspace

    doc = undoing.undo(open_workspace(ui.wiki), run, dry_run=dry_run)
    ui.result(doc, text(doc))
    if dry_run:
        ui.hint("that was a dry run: nothing was changed.")
    elif doc["run"]:
        ui.hint(f"`companion undo {doc['run']}` takes this back in turn.")
    return 0


def text(doc: Doc) -> Iterator[str]:
    yield Title(f"undo of {doc['undone']}")
    yield from section("restored", ((path, "") for path in doc["restored"]))
    yield from section(
        "removed", ((path, "git keeps what it held") for path in doc["removed"])
    )
    yield from section(
        "left out", ((item["path"], item["reason"]) for item in doc["left_out"])
    )
    yield from ending(doc, "every page is as it was before that run already")
