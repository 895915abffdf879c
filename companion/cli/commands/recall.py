"""`companion recall`: show the full text of a page that faded, from cold memory."""

from collections.abc import Iterator

from companion.cli.format import Doc, ending, short, whole_text
from companion.cli.lines import Title
from companion.cli.output import Ui
from companion.cli.spec import DRY_RUN, READER, TARGET, Command, Option

SPEC = Command(
    help="Show the full text of a page that faded.\n\n"
    "--restore makes a compressed page whole again, and a new page of an archived one; "
    "`undo` takes that back.",
    argument=TARGET,
    options=(
        Option(
            "restore", ("--restore",), "Make it a page again.", "flag", False
        ),
        DRY_RUN,
        READER,
    ),
)


def run(
    ui: Ui,
    *,
    target: list[str],
    restore: bool,
    dry_run: bool,
    agent: str | None,
) -> int:
    """Print the full text of a page; with *restore*, make it a page again."""
    from companion.operations.decay.recall import recall
    from companion.usage.record_read import record_read
    from companion.workspace import open_workspace

    ws = open_workspace(ui.wiki, agent)
    doc = recall(ws, " ".join(target), restore=restore, dry_run=dry_run)
    ui.result(doc, text(doc))
    ui.hint_unrecorded(record_read(ws, "recall", "", [doc["entry"]]))
    if not restore:
        ui.hint("`--restore` makes it a page again.")
    return 0


def text(doc: Doc) -> Iterator[str]:
    """Yield the full text, or the page that was restored."""
    if doc["restored"]:
        verb = "would be restored" if doc["dry_run"] else "restored"
        new = ""
        if doc["restored"] != doc["entry"]:
            new = f" as {short(doc['restored'])}"
        yield Title(f"{doc['title']}: {verb}{new}")
    else:
        yield Title(f"{doc['title']}  ({doc['state']}; this is its full text)")
        yield ""
        yield from whole_text(doc["text"])
    yield from ending(doc, "")
