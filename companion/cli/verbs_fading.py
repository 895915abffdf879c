"""The verbs of forgetting: one function per verb, one app call, one answer printed."""

from companion.cli import render_fading
from companion.cli.output import Ui


def decay(ui: Ui, *, dry_run: bool) -> int:
    from companion.operations.decay import run as decaying
    from companion.workspace import open_workspace

    with ui.progress("weighing entries") as progress:
        doc = decaying.decay(open_workspace(ui.wiki), dry_run=dry_run, progress=progress)
    ui.result(doc, render_fading.decay)
    if dry_run:
        ui.hint("that was a dry run: nothing was changed.")
    return 0


def recall(ui: Ui, *, target: list[str], restore: bool, dry_run: bool, agent: str | None) -> int:
    from companion.operations.decay import recall as recalling
    from companion.usage import record_read
    from companion.workspace import open_workspace

    ws = open_workspace(ui.wiki, agent)
    doc = recalling.recall(ws, " ".join(target), restore=restore, dry_run=dry_run)
    ui.result(doc, render_fading.recall)
    trouble = record_read.record_read(ws, "recall", "", [doc["entry"]])
    if trouble is not None:
        ui.hint(f"this read was not recorded: {trouble}")
    if not restore:
        ui.hint("`--restore` makes it a page again.")
    return 0


def pin(ui: Ui, *, target: list[str]) -> int:
    from companion.operations.decay import recall as recalling
    from companion.workspace import open_workspace

    ws = open_workspace(ui.wiki)
    ui.result(
        recalling.pin(ws, " ".join(target)) if target else recalling.pins(ws), render_fading.pin
    )
    return 0


def unpin(ui: Ui, *, target: list[str]) -> int:
    from companion.operations.decay import recall as recalling
    from companion.workspace import open_workspace

    ui.result(
        recalling.pin(open_workspace(ui.wiki), " ".join(target), pinned=False), render_fading.unpin
    )
    return 0
