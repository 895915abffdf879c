"""`companion doctor`: check everything, and name each damage and what helps."""

from collections.abc import Iterator

from companion.cli.errors import BAD_DATA
from companion.cli.format import Doc
from companion.cli.lines import Field
from companion.cli.output import Ui
from companion.cli.spec import Command, Option

SPEC = Command(
    help="Check everything; name each damage and what helps.\n\n"
    "Without --repair nothing is changed. With it, everything that can be made from the "
    "rest is made again: the index, the journal's own indexes, ledger files in the work "
    "tree, and notes that git or the journal lacks. Replaced files are kept in "
    ".git/companion/aside.",
    options=(
        Option(
            "repair",
            ("--repair",),
            "Repair what can be made again from the rest.",
            "flag",
            False,
        ),
    ),
)


def run(ui: Ui, *, repair: bool) -> int:
    """Check the wiki and print each finding; return 65 if damage was found."""
    from companion.maintenance.doctor.run import doctor
    from companion.workspace import open_workspace

    with ui.progress("checking everything") as progress:
        doc = doctor(open_workspace(ui.wiki), repair=repair, progress=progress)
    ui.result(doc, text(doc))
    return 0 if doc["ok"] else BAD_DATA


def text(doc: Doc) -> Iterator[str]:
    """Yield each repair, and each finding with its hint."""
    yield from (Field("repaired", repair["what"]) for repair in doc["repaired"])
    for finding in doc["findings"]:
        yield Field(finding["severity"], finding["what"])
        if finding["hint"]:
            yield Field("", finding["hint"])
    if doc["ok"]:
        yield "no damage found"
