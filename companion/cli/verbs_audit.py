"""The verbs of AUDIT: one app call each, one answer printed."""

from companion.cli import render_audits
from companion.cli.output import Ui


def audit(ui: Ui, *, top: int, entry: str | None, explain: bool, dry_run: bool) -> int:
    from companion.operations.audit import run as auditing
    from companion.workspace import open_workspace

    with ui.progress("suspending entries") as progress:
        entries = [] if entry is None else [entry]
        doc = auditing.audit(
            open_workspace(ui.wiki),
            top=top,
            entries=entries,
            dry_run=dry_run,
            progress=progress,
            announce=ui.hint,
        )
    ui.result(doc, render_audits.report if explain else render_audits.audit)
    if dry_run:
        kept = ", but what the model said is kept" if doc["judged"] else ""
        ui.hint(f"that was a dry run: nothing was recorded{kept}.")
    elif any(each["result"] for each in doc["audited"]):
        ui.hint(
            "`companion settle` does what follows; until then nothing has changed but the record."
        )
    return 0


def settle(ui: Ui, *, dry_run: bool) -> int:
    from companion.operations.audit import settle as settling
    from companion.workspace import open_workspace

    doc = settling.settle(open_workspace(ui.wiki), dry_run=dry_run)
    ui.result(doc, render_audits.settle)
    if dry_run:
        ui.hint("that was a dry run: nothing was changed.")
    return 0
