"""`companion ingest`: capture text, files or folders; what it acknowledges is on disk."""

import sys
from collections.abc import Iterator
from typing import Any

from companion.cli.capture_arguments import make_draft, require_one_way
from companion.cli.errors import BAD_DATA
from companion.cli.format import MANY, Doc, counts, short, some
from companion.cli.output import Ui
from companion.cli.spec import ORIGIN, Argument, Command, Option
from companion.values.refusals import PASSED_OVER

SPEC = Command(
    help="Capture text, files or folders.\n\n"
    "What it acknowledges is safe on disk. An existing file or folder is read; - reads "
    "standard input; anything else is the text itself. A first line `# Title` is the title.",
    argument=Argument(
        "what", "TEXT|FILE|FOLDER|-", "What to capture.", many=True
    ),
    options=(
        Option(
            "lines",
            ("--lines",),
            "Make a capture of every line.",
            "flag",
            False,
        ),
        Option(
            "jsonl",
            ("--jsonl",),
            "Read captures as JSON lines; - is standard input.",
            metavar="FILE",
        ),
        Option("title", ("--title",), "The title.", metavar="TITLE"),
        Option(
            "event_time",
            ("--event-time",),
            "Since when it is so, e.g. 2026-11-21T18:30Z.",
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
    event_time: str | None,
    redact: bool,
    store_anyway: bool,
    **origin: Any,
) -> int:
    """Capture and acknowledge; return 65 if something was refused that was asked for by name."""
    from companion.workspace import open_workspace

    require_one_way(redact=redact, store_anyway=store_anyway)
    from companion.operations.triage import arguments, capture

    items = arguments.drafts(
        what,
        lines=lines,
        jsonl=jsonl,
        defaults=make_draft(origin, title=title, event_time=event_time),
        stdin=None if sys.stdin is None else sys.stdin.buffer,
    )
    with ui.progress("captured") as progress:
        doc = capture.ingest(
            open_workspace(ui.wiki),
            items,
            redact=redact,
            store_anyway=store_anyway,
            progress=progress,
        )
    ui.result(doc, text(doc))
    faults = _faults(doc)
    for hint in dict.fromkeys(fault["hint"] for fault in faults):
        ui.hint(hint)
    return BAD_DATA if faults else 0


def _faults(doc: Doc) -> list[Doc]:
    """Return what was refused, but for what nobody asked for by name: a walk through a folder
    passes over pictures and hidden files.
    """
    return [item for item in doc["refused"] if item["kind"] not in PASSED_OVER]


def text(doc: Doc) -> Iterator[str]:
    """Yield a line for each capture, if there are few, and for each refusal; then the counts."""
    captures = doc["captures"]
    if len(captures) <= MANY:
        yield from map(_capture, captures)
    faults = _faults(doc)
    yield from some([_refusal(fault) for fault in faults])
    refused = len(doc["refused"])
    if len(captures) + refused > 1:
        rest = {
            "refused": len(faults),
            "passed over (no notes)": refused - len(faults),
        }
        yield counts(doc["counts"] | rest)


def _capture(capture: Doc) -> str:
    title = capture["title"] or ""
    line = f"{capture['status']:<8}  {short(capture['id'])}  {title}"
    return line.rstrip()


def _refusal(fault: Doc) -> str:
    place = f"{fault['origin']}: " if fault["origin"] else ""
    return f"refused   {place}{fault['reason']}"
