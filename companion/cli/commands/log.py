"""`companion log`: list what each run did, newest first."""

from collections.abc import Iterator

from companion.cli.format import Doc, counts, short, when
from companion.cli.lines import Row
from companion.cli.output import Ui
from companion.cli.spec import LIMIT, Command, Option

SPEC = Command(
    help="List what each run did, newest first.",
    options=(
        Option(
            "limit",
            LIMIT,
            "At most this many runs.",
            "count",
            default=20,
            metavar="N",
        ),
    ),
    hot=True,
)


def run(ui: Ui, *, limit: int) -> int:
    """Print the latest runs."""
    from companion.reading.log import list_runs
    from companion.workspace import open_workspace

    doc = list_runs(open_workspace(ui.wiki), limit=limit)
    ui.result(doc, text(doc))
    if not doc["runs"]:
        ui.hint("No run yet: `companion consolidate` makes the first.")
    return 0


def text(doc: Doc) -> Iterator[str]:
    """Yield a line for each run: when, which operation, its commit, and what it did."""
    for run in doc["runs"]:
        did = run["summary"] or "no pages"
        if not run["summary"] and run["counts"]:
            did = counts(run["counts"])
        commit = short(run["commit"]) or "-"
        yield Row(
            when(run["time"]),
            run["operation"],
            commit,
            did,
            widths=(16, 11, 8),
        )
