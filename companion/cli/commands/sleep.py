"""`companion sleep`: do a night's work now, if this is a good time for it."""

from collections.abc import Iterator

from companion.cli.format import Doc
from companion.cli.lines import Field
from companion.cli.output import Ui
from companion.cli.spec import DRY_RUN, EXPLAIN, MAX_CALLS, Command, Option

SPEC = Command(
    help="Do a night's work, if this is a good time for it.\n\n"
    "A night takes in your edits, turns notes into pages, lets unused pages fade and now and "
    "then tests important ones. The companion sleeps when you are away, on mains power, and "
    "done before you usually begin; --explain says why or why not. `companion schedule "
    "install` wakes it often.",
    options=(
        Option(
            "force",
            ("--force",),
            "Sleep now; only a low battery or a full disk stops it.",
            "flag",
            False,
        ),
        DRY_RUN,
        EXPLAIN,
        Option(
            "max_minutes",
            ("--max-minutes",),
            "End at a safe point after so many minutes.",
            "count",
            metavar="N",
        ),
        MAX_CALLS,
        Option(
            "unattended",
            ("--unattended",),
            "Called by a timer: write to a log, and print only trouble.",
            "flag",
            False,
        ),
    ),
)


def run(
    ui: Ui,
    *,
    force: bool,
    dry_run: bool,
    explain: bool,
    max_minutes: int | None,
    max_calls: int | None,
    unattended: bool,
) -> int:
    """Sleep, or say why not."""
    from companion.maintenance.remotes.remote import sync
    from companion.sleep.night import Order, sleep
    from companion.workspace import open_workspace

    order = Order(force, dry_run, unattended, max_minutes, max_calls)
    if unattended:
        from companion.sleep.unattended import sleep_unattended

        return sleep_unattended(ui.wiki, order, sync, ui.line)
    with ui.progress("looking at the conditions") as progress:
        doc = sleep(
            open_workspace(ui.wiki), order, exchange=sync, progress=progress
        )
    ui.result(doc, text(doc, explain=explain))
    _hint(ui, doc, force=force)
    return int(doc["exit_code"])


def text(doc: Doc, *, explain: bool = False) -> Iterator[str]:
    """Yield the decision and what each step did; with *explain* also the state vector."""
    decision = doc["decision"]
    yield decision["words"]
    if explain:
        for name, words in doc["words"]:
            yield Field(name, words, width=12, indent=2)
        if decision["steps"]:
            steps = ", ".join(decision["steps"])
            yield Field("steps", steps, width=12, indent=2)
    for step in doc["steps"]:
        mark = "" if step["exit_code"] == 0 else "failed: "
        yield Field(step["name"], mark + step["words"], width=14)
    if doc["stopped"]:
        yield f"The night ended early: {doc['stopped']} The next one goes on."


def _hint(ui: Ui, doc: Doc, *, force: bool) -> None:
    if doc["dry_run"]:
        ui.hint_dry_run()
    elif not (doc["decision"]["sleep"] or force):
        ui.hint("`companion sleep --force` sleeps now.")
