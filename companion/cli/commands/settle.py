"""`companion settle`: do what follows from the audits on record."""

from collections.abc import Iterator

from companion.cli.format import Doc, name_of, section
from companion.cli.options import DRY_RUN
from companion.cli.output import Ui
from companion.cli.spec import Command

SPEC = Command(
    help="Do what follows from the audits on record.\n\n"
    "What answers need keeps its gravity, or gets it back; what nobody needs loses half of it; what leads astray "
    "begins to decay, and is archived later. Closes minority branches whose incumbent proved load-bearing.",
    options=(DRY_RUN,),
)


def run(ui: Ui, *, dry_run: bool) -> int:
    from companion.operations.audit import settle as settling
    from companion.workspace import open_workspace

    doc = settling.settle(open_workspace(ui.wiki), dry_run=dry_run)
    ui.result(doc, text(doc))
    if dry_run:
        ui.hint("that was a dry run: nothing was changed.")
    return 0


def text(doc: Doc) -> Iterator[str]:
    rows = (
        (f"{name_of({'id': item['subject'], **item})}: {item['what']}", item["reason"])
        for item in doc["settled"]
    )
    yield from section("would settle" if doc["dry_run"] else "settled", rows)
    yield from _ending(doc, "nothing waits to be settled")


def _ending(doc: Doc, nothing: str) -> Iterator[str]:
    yield from (f"note       {note}" for note in doc["notes"])
    if doc["commit"]:
        yield f"run        {doc['run']} ({doc['commit'][:8]})"
    elif not doc["dry_run"] and nothing:
        yield nothing
