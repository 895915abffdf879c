"""`companion demo`: live through ten weeks of someone's notes in under a minute."""

from companion.cli.lines import Title
from companion.cli.output import Ui
from companion.cli.spec import Command, Option

SPEC = Command(
    help="Watch ten weeks of someone's notes in under a minute.",
    options=(
        Option(
            "keep",
            ("--keep",),
            "Leave the demo wiki in this folder.",
            metavar="DIR",
        ),
    ),
)


def run(ui: Ui, *, keep: str | None) -> int:
    """Tell the story of the demo while it happens."""
    from companion.maintenance.demo import demo

    def say(text: str) -> None:
        """Print a part of the story at once."""
        if ui.json:
            return
        for line in text.split("\n"):
            ui.line(Title(line) if line.startswith("# ") else line)
        ui.flush()

    ui.result(demo(keep, say), ())
    return 0
