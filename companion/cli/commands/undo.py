"""`companion undo`: take back what one run did, as a new run that says so."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.cli.errors import Usage
from companion.cli.format import Doc, at, ending, left_out, section
from companion.cli.lines import Title
from companion.cli.output import Ui
from companion.cli.spec import DRY_RUN, Argument, Command, Option

if TYPE_CHECKING:
    from companion.reading.overview.last_run import LastRun
    from companion.workspace import Workspace

SPEC = Command(
    help="Take back what one run did, in a new commit.\n\n"
    "Pages go back to what they held before it; lines you changed since stay. An undo can "
    "be undone, too. Without RUN it takes the last run that can be taken back and says which; "
    "one of a night or of another machine only after it asked you. The id of a note that you "
    "dropped brings that note back.",
    argument=Argument(
        "run",
        "RUN",
        "A run's name, its commit, a dropped note, or the beginning of one; else the last.",
    ),
    options=(
        Option(
            "yes",
            ("--yes", "-y"),
            "Take the last run back without asking.",
            "flag",
            False,
        ),
        DRY_RUN,
    ),
)

_NAMED = 5  # pages of a run that the question names
_STARTERS = {
    "you": "by you",
    "night": "by a night",
    "elsewhere": "on another machine, or not by you",
}


def run(ui: Ui, *, run: str | None, yes: bool, dry_run: bool) -> int:
    """Take back a run and print which pages changed; without *run* the last one.

    Raises Usage where it would have to ask and nobody is there.
    """
    from companion.adoption.undo import undo
    from companion.maintenance.withdraw import find_dropped
    from companion.workspace import open_workspace

    ws = open_workspace(ui.wiki)
    dropped = _find_newer_drop(ws) if run is None else find_dropped(ws, run)
    if dropped is not None:
        return _bring_back(ui, ws, dropped, dry_run=dry_run)
    if run is None:
        run = _choose_last(ui, ws, is_agreed=yes or dry_run)
    if run is None:
        ui.hint("Nothing was changed.")
        return 0
    with ui.progress("taking back") as progress:
        doc = undo(ws, run, dry_run=dry_run, progress=progress)
    ui.result(doc, text(doc))
    if dry_run:
        ui.hint_dry_run()
    elif doc["run"]:
        ui.hint(f"`companion undo {doc['run']}` takes this back.")
    return 0


def text(doc: Doc) -> Iterator[str]:
    """Yield the pages that were restored, removed and left out, or the note that waits again."""
    if "capture" in doc:
        from companion.cli.commands import drop

        yield from drop.text(doc)
        return
    yield Title(f"undo of {doc['undone']}")
    yield from section("restored", [(path, "") for path in doc["restored"]])
    removed = [(path, "git keeps what it held") for path in doc["removed"]]
    yield from section("removed", removed)
    yield from left_out(doc)
    yield from ending(doc, "every page is as it was before that run already")


def _choose_last(ui: Ui, ws: "Workspace", *, is_agreed: bool) -> str | None:
    """Return the last run, None where the person says no; raises Usage where nobody can be
    asked.
    """
    from companion.cli.screen.keys import can_ask
    from companion.reading.overview.last_run import find_last_run

    last = find_last_run(ws)
    name = _describe(last)
    if not is_agreed and (ui.json or not can_ask()):
        raise Usage(
            f"the last run is {name}",
            hint=f"`companion undo {last.run}` or `companion undo --yes` takes it back.",
        )
    if not ui.json:
        ui.line(f"The last run: {name}")
    if is_agreed or last.by == "you":
        return last.run
    from companion.cli.screen.choose import confirm

    for page in last.pages[:_NAMED]:
        ui.line(f"  {page.title}  {page.path}")
    if len(last.pages) > _NAMED:
        ui.line(f"  … and {len(last.pages) - _NAMED:,} more")
    return last.run if confirm(ui, "Take it back?") else None


def _find_newer_drop(ws: "Workspace") -> str | None:
    """Return the note that the person dropped after the last run that can be taken back."""
    from companion.maintenance.withdraw import find_last_dropped
    from companion.reading.overview.last_run import NoRunToUndo, find_last_run

    last = find_last_dropped(ws)
    if last is None:
        return None
    capture, at = last
    try:
        return capture if find_last_run(ws).time < at else None
    except NoRunToUndo:
        return capture


def _bring_back(ui: Ui, ws: "Workspace", capture: str, *, dry_run: bool) -> int:
    from companion.maintenance.withdraw import bring_back

    doc = bring_back(ws, capture, dry_run=dry_run)
    ui.result(doc, text(doc))
    if dry_run:
        ui.hint_dry_run()
    return 0


def _describe(last: "LastRun") -> str:
    return f"{last.operation} of {at(last.time)}, {_STARTERS[last.by]}"
