"""`companion settle`: carry out what the recorded audits call for."""

from collections.abc import Iterator

from companion.cli.format import Doc, name_of, section
from companion.cli.options import DRY_RUN, EXPLAIN
from companion.cli.output import Ui
from companion.cli.spec import Command

SPEC = Command(
    help="Carry out what the recorded audits call for.\n\n"
    "A page that answers need keeps its gravity, or gets it back; a page that no question needs loses half of it; a "
    "page that makes answers worse begins to decay, and is archived later. A minority branch is closed if answers "
    "need the page that it contradicts and it no longer grows.",
    options=(DRY_RUN, EXPLAIN),
)


def run(ui: Ui, *, dry_run: bool, explain: bool) -> int:
    from companion.operations.audit import settle as settling
    from companion.workspace import open_workspace

    doc = settling.settle(open_workspace(ui.wiki), dry_run=dry_run)
    ui.result(doc, text(doc, explain=explain))
    if dry_run:
        ui.hint("that was a dry run: nothing was changed.")
    return 0


def text(doc: Doc, *, explain: bool = False) -> Iterator[str]:
    """Yield a line for each page and branch; with *explain* also which audit it follows from."""
    rows = (_row(item, explain=explain) for item in doc["settled"])
    yield from section("would settle" if doc["dry_run"] else "settled", rows)
    yield from _ending(doc, "nothing waits to be settled")


def _row(item: Doc, *, explain: bool) -> tuple[str, str]:
    name = name_of({"id": item["subject"], **item})
    reason = (
        item["reason"] if explain else item["reason"].partition(" (audit ")[0]
    )
    return f"{name}: {item['what']}", reason


def _ending(doc: Doc, nothing: str) -> Iterator[str]:
    yield from (f"note       {note}" for note in doc["notes"])
    if doc["commit"]:
        yield f"run        {doc['run']} ({doc['commit'][:8]})"
    elif not doc["dry_run"] and nothing:
        yield nothing
