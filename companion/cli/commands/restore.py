"""`companion restore`: make a page that faded whole again; the short form of `recall --restore`."""

from companion.cli.commands import recall
from companion.cli.output import Ui
from companion.cli.spec import DRY_RUN, READER, TARGET, Command

SPEC = Command(
    help="Make a page that faded whole again, or a new page of an archived one.\n\n"
    "The short form of `recall --restore`; `undo` takes it back.",
    argument=TARGET,
    options=(DRY_RUN, READER),
)


def run(ui: Ui, *, target: list[str], dry_run: bool, agent: str | None) -> int:
    """Restore a page and print what it is now."""
    return recall.run(
        ui,
        target=target,
        span=False,
        output=None,
        restore=True,
        dry_run=dry_run,
        agent=agent,
    )
