"""`companion log`: list what each run did, newest first, or tell the story of a page."""

from collections.abc import Iterator

from companion.cli.format import (
    Doc,
    at,
    called,
    counts,
    local,
    name_of,
    reason_of,
    short,
)
from companion.cli.lines import Row, Title
from companion.cli.output import Ui
from companion.cli.spec import EXPLAIN, LIMIT, Argument, Command, Option

_NAMED = 3  # pages of a run that its line names

SPEC = Command(
    help="List what each run did, newest first, or tell the story of a page.",
    argument=Argument(
        "page", "PAGE", "Tell what happened to this page instead.", many=True
    ),
    options=(
        Option(
            "limit",
            LIMIT,
            "At most this many runs.",
            "count",
            default=20,
            metavar="N",
        ),
        EXPLAIN,
    ),
    hot=True,
)


def run(ui: Ui, *, page: list[str], limit: int, explain: bool) -> int:
    """Print the latest runs, or the story of *page*."""
    from companion.reading.log import list_runs, tell_story
    from companion.workspace import open_workspace

    ws = open_workspace(ui.wiki)
    if page:
        story = tell_story(ws, " ".join(page))
        ui.result(story, text(story, explain=explain))
        return 0
    doc = list_runs(ws, limit=limit)
    ui.result(doc, text(doc))
    if not doc["runs"]:
        ui.hint("No run yet: `companion consolidate` makes the first.")
    return 0


def text(doc: Doc, *, explain: bool = False) -> Iterator[str]:
    """Yield a line for each run, or for each thing that happened to a page."""
    if "events" in doc:
        yield from _story(doc, explain=explain)
        return
    for run in doc["runs"]:
        did = run["summary"] or "no pages"
        if not run["summary"] and run["counts"]:
            did = counts(run["counts"])
        commit = short(run["commit"]) or "-"
        who = f" · by {run['by']}" if "by" in run else ""
        yield Row(
            at(run["time"]),
            run["operation"],
            commit,
            did + _pages(run["pages"]) + who,
            widths=(16, 11, 8),
        )


def _pages(pages: list[Doc]) -> str:
    """Return the names of the pages of a run, with how many notes came to each of several."""
    if not pages:
        return ""
    names = []
    for page in pages[:_NAMED]:
        several = f" ({page['notes']} notes)" if page["notes"] > 1 else ""
        names.append(page["title"] + several)
    if len(pages) > _NAMED:
        names.append(f"{len(pages) - _NAMED:,} more")
    return ": " + ", ".join(names)


def _story(doc: Doc, *, explain: bool) -> Iterator[str]:
    yield Title(called(doc["page"]))
    last = None
    for event in doc["events"]:
        reason = reason_of(event["reason"], explain=explain)
        said = "" if (event["run"], reason) == last else reason
        last = (event["run"], reason)
        note = f"“{event['words']}”" if event["words"] else ""
        other = ""
        if event["page"] is not None:
            other = (
                f"{_SIDES.get(event['event'], 'and')} {name_of(event['page'])}"
            )
        parts = " ".join(part for part in (note, other) if part)
        yield Row(
            local(event["time"])[:10],
            event["event"],
            ": ".join(part for part in (parts, said) if part),
            widths=(10, 10),
            indent=2,
        )


_SIDES = {"came": "from", "left": "for"}
