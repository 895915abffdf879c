"""`companion log`: what each run did, newest first."""

from collections.abc import Iterator

from companion.cli.format import Doc, counts, short, when
from companion.cli.options import LIMIT
from companion.cli.output import Ui
from companion.cli.spec import Command, Option

SPEC = Command(
    help="What each run did, newest first.",
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
    from companion.reading.log import list_runs
    from companion.workspace import open_workspace

    doc = list_runs(open_workspace(ui.wiki), limit=limit)
    ui.result(doc, text(doc))
    if not doc["runs"]:
        ui.hint("no run yet: `companion consolidate` is the first.")
    return 0


def text(doc: Doc) -> Iterator[str]:
    for run in doc["runs"]:
        said = run["summary"] or (
            counts(run["counts"]) if run["counts"] else "no pages"
        )
        yield f"{when(run['time'])}  {run['operation']:<11}  {short(run['commit']) or '-':<8}  {said}"
