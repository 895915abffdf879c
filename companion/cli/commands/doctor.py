"""`companion doctor`: check everything, and say of each damage what it is and what helps."""

from collections.abc import Iterator

from companion.cli.errors import BAD_DATA
from companion.cli.format import Doc
from companion.cli.output import Ui
from companion.cli.spec import Command, Option

SPEC = Command(
    help="Check everything, and say of each damage what it is and what helps.\n\n"
    "Without --repair nothing is changed. With it, what can be derived is made again: the index, the journal's "
    "own indexes, ledger files in the work tree, what git and the journal can tell each other. What is replaced "
    "is kept in .git/companion/aside.",
    options=(
        Option(
            "repair",
            ("--repair",),
            "Mend what can be derived from the rest.",
            "flag",
            False,
        ),
    ),
)


def run(ui: Ui, *, repair: bool) -> int:
    from companion.maintenance.doctor import run as health
    from companion.workspace import open_workspace

    doc = health.doctor(open_workspace(ui.wiki), repair=repair)
    ui.result(doc, text(doc))
    return 0 if doc["ok"] else BAD_DATA


def text(doc: Doc) -> Iterator[str]:
    yield from (f"repaired  {done['what']}" for done in doc["repaired"])
    for finding in doc["findings"]:
        yield f"{finding['severity']:<8}  {finding['what']}"
        if finding["hint"]:
            yield f"{'':8}  {finding['hint']}"
    if doc["ok"]:
        yield "no damage found"
