"""`companion drop`: take back a note that waits for the night."""

from collections.abc import Iterator

from companion.cli.format import Doc, short
from companion.cli.lines import Title
from companion.cli.output import Ui
from companion.cli.spec import DRY_RUN, Argument, Command, Option

SPEC = Command(
    help="Take back a note that no night has read yet.\n\n"
    "Nothing shows it from then on, and the next night records that it was rejected. Its words "
    "stay in git: `undo`, or telling it again, brings it back; `erase` forgets for good.",
    argument=Argument(
        "target",
        "ID",
        "Its id or the beginning, or its title: `list --state pending` shows both.",
        many=True,
        required=True,
    ),
    options=(
        DRY_RUN,
        Option(
            "agent",
            ("--agent",),
            "Take back only what this assistant told; else it is you.",
            metavar="NAME",
        ),
    ),
)


def run(ui: Ui, *, target: list[str], dry_run: bool, agent: str | None) -> int:
    """Take the note back and print which it was."""
    from companion.maintenance.withdraw import drop
    from companion.workspace import open_workspace

    ws = open_workspace(ui.wiki, agent)
    doc = drop(ws, " ".join(target), dry_run=dry_run)
    ui.result(doc, text(doc))
    if dry_run:
        ui.hint_dry_run()
    else:
        ui.hint(f"`companion undo {short(doc['capture'])}` brings it back.")
    return 0


def text(doc: Doc) -> Iterator[str]:
    """Yield which note was taken back, or waits again."""
    if doc["dropped"]:
        did = "would be dropped" if doc["dry_run"] else "dropped"
    else:
        did = "would wait again" if doc["dry_run"] else "waits again"
    yield Title(f"{doc['title']}: {did}  {short(doc['capture'])}")
