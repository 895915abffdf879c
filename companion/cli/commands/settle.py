"""`companion settle`: carry out what the recorded audits call for."""

from collections.abc import Iterator

from companion.cli.commands.audit import ending_with_run
from companion.cli.format import (
    Doc,
    called_statement,
    name_of,
    reason_of,
    section,
)
from companion.cli.output import Ui
from companion.cli.spec import DRY_RUN, EXPLAIN, Command

SPEC = Command(
    help="Carry out what the recorded audits call for.\n\n"
    "A page that answers need keeps its gravity, or gets it back; a page that no question "
    "needs loses half of it; a page that makes answers worse begins to decay, and is "
    "archived later. On a page of several notes, only notes that make answers worse go. A "
    "minority branch is closed if answers need what it contradicts and it no longer grows.",
    options=(DRY_RUN, EXPLAIN),
)


def run(ui: Ui, *, dry_run: bool, explain: bool) -> int:
    """Settle the recorded audits and print what changes."""
    from companion.operations.audit.settle import settle
    from companion.workspace import open_workspace

    with ui.progress("settling audits") as progress:
        doc = settle(
            open_workspace(ui.wiki), dry_run=dry_run, progress=progress
        )
    ui.result(doc, text(doc, explain=explain))
    if dry_run:
        ui.hint_dry_run()
    return 0


def text(doc: Doc, *, explain: bool = False) -> Iterator[str]:
    """Yield a line for each page and branch; with *explain* also which audit it follows from."""
    rows = [_row(item, explain=explain) for item in doc["settled"]]
    heading = "would settle" if doc["dry_run"] else "settled"
    yield from section(heading, rows)
    yield from ending_with_run(doc, "no audit waits to be settled")


def _row(item: Doc, *, explain: bool) -> tuple[str, str]:
    name = name_of({"id": item["subject"], **item})
    change = _CHANGES.get(item["what"], item["what"])
    if item["statement"]:
        name = f"{name}, {called_statement(item['statement'])}"
        change = _NOTE_CHANGES.get(item["what"], item["what"])
    return f"{name}: {change}", reason_of(item["reason"], explain=explain)


_CHANGES = {
    "restored": "weight restored",
    "gravity-reduced": "weight halved",
    "decaying": "begins to decay",
    "nothing": "nothing changes",
}
_NOTE_CHANGES = {
    "restored": "stands",
    "decaying": "moved under “Earlier”",
    "nothing": "nothing changes",
}
