"""`companion recall`: show the full text of a page that faded, from cold memory."""

from collections.abc import Iterator

from companion.cli.format import Doc, ending, short
from companion.cli.options import DRY_RUN, READER, TARGET
from companion.cli.output import Title, Ui
from companion.cli.spec import Command, Option

SPEC = Command(
    help="Show the full text of a page that faded, from cold memory.\n\n"
    "--restore makes a compressed page whole again, and a new page of an archived one; `undo` takes that back.",
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
    from companion.operations.decay import recall as recalling
    from companion.usage.record_read import record_read
    from companion.workspace import open_workspace

    ws = open_workspace(ui.wiki, agent)
    doc = recalling.recall(
        ws, " ".join(target), restore=restore, dry_run=dry_run
    )
    ui.result(doc, text(doc))
    trouble = record_read(ws, "recall", "", [doc["entry"]])
    if trouble is not None:
        ui.hint(f"this read was not recorded: {trouble}")
    if not restore:
        ui.hint("`--restore` makes it a page again.")
    return 0


def text(doc: Doc) -> Iterator[str]:
    if doc["restored"]:
        said = "would be restored" if doc["dry_run"] else "restored"
        yield Title(
            f"{doc['title']}: {said}"
            + (
                f" as {short(doc['restored'])}"
                * (doc["restored"] != doc["entry"])
            )
        )
    else:
        yield Title(f"{doc['title']}  ({doc['state']}; this is its full text)")
        yield ""
        yield from (
            line.rstrip("\r") for line in doc["text"].rstrip("\n").split("\n")
        )
    yield from ending(doc, "")
