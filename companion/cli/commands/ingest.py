"""`companion ingest`: capture text, files or folders; safe on disk when it says so."""

import sys
from collections.abc import Iterator
from typing import Any

from companion.cli.capture_arguments import door_of, draft_of
from companion.cli.errors import BAD_DATA
from companion.cli.format import MANY, Doc, counts, short, some
from companion.cli.options import ORIGIN
from companion.cli.output import Ui
from companion.cli.spec import Argument, Command, Option
from companion.values.refusals import PASSED_OVER

SPEC = Command(
    help="Capture text, files or folders; safe on disk when it says so.\n\n"
    "An existing file or folder is read; - reads standard input; anything else is the text itself. "
    "A first line `# Title` is the title.",
    argument=Argument(
        "what", "TEXT|FILE|FOLDER|-", "What to capture.", many=True
    ),
    options=(
        Option(
            "lines",
            ("--lines",),
            "Every line is a capture of its own.",
            "flag",
            False,
        ),
        Option(
            "jsonl",
            ("--jsonl",),
            "Read captures as JSON lines; - is standard input.",
            metavar="FILE",
        ),
        Option("title", ("--title",), "Its title.", metavar="TITLE"),
        Option(
            "event_time",
            ("--event-time",),
            "When it was so, e.g. 2026-11-21T18:30Z.",
            metavar="TIME",
        ),
        *ORIGIN,
    ),
    hot=True,
)


def run(
    ui: Ui,
    *,
    what: list[str],
    lines: bool,
    jsonl: str | None,
    title: str | None,
    **said: Any,
) -> int:
    from companion.workspace import open_workspace

    options = door_of(said)
    from companion.operations.triage import arguments, capture

    defaults = draft_of(said, title=title)
    stdin = sys.stdin.buffer if sys.stdin is not None else None
    items = arguments.drafts(
        what, lines=lines, jsonl=jsonl, defaults=defaults, stdin=stdin
    )
    with ui.progress("captured") as progress:
        doc = capture.ingest(
            open_workspace(ui.wiki), items, **options, progress=progress
        )
    ui.result(doc, text(doc))
    # What a walk through a folder passes over (pictures, hidden files) was never asked for by name.
    faults = [
        item for item in doc["refused"] if item["kind"] not in PASSED_OVER
    ]
    for hint in dict.fromkeys(item["hint"] for item in faults):
        ui.hint(hint)
    return BAD_DATA if faults else 0


def text(doc: Doc) -> Iterator[str]:
    captures, refused = doc["captures"], doc["refused"]
    if len(captures) <= MANY:
        for capture in captures:
            yield f"{capture['status']:<8}  {short(capture['id'])}  {capture['title'] or ''}".rstrip()
    faults = [item for item in refused if item["kind"] not in PASSED_OVER]
    yield from some(f"refused   {_at(item)}{item['reason']}" for item in faults)
    if len(captures) + len(refused) > 1:
        passed = len(refused) - len(faults)
        yield counts(
            doc["counts"]
            | {"refused": len(faults), "passed over (no notes)": passed}
        )


def _at(item: Doc) -> str:
    return f"{item['origin']}: " if item["origin"] else ""
