"""`companion demo`: live through ten weeks of someone's notes in under a minute."""

from companion.cli.output import Title, Ui
from companion.cli.spec import Command, Option

SPEC = Command(
    help="Live through ten weeks of someone's notes in under a minute.",
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
    from companion.maintenance import demo as story

    def say(text: str) -> None:
        if not ui.json:
            for line in text.split("\n"):
                ui.line(Title(line) if line.startswith("# ") else line)
            ui.flush()  # the story is watched while it happens

    # the demo has told its story while it ran
    ui.result(story.demo(keep, say), ())
    return 0
