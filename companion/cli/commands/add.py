"""`companion add`: capture one note, made of all words of the line."""

import sys

from companion.annotations import Any
from companion.cli.capture_arguments import make_draft, require_one_way
from companion.cli.commands import ingest
from companion.cli.errors import Usage
from companion.cli.output import Ui
from companion.cli.spec import ORIGIN, Argument, Command

_OPTIONS = {option.name: option for option in ingest.SPEC.options}

SPEC = Command(
    help="Capture one note: all words of the line, no quotation marks needed.\n\n"
    "The short form of `ingest` for words alone: it reads no file and fetches nothing. Without "
    "words it reads standard input.",
    argument=Argument("words", "WORDS", "The note.", many=True),
    options=(_OPTIONS["title"], _OPTIONS["event_time"], *ORIGIN),
    hot=True,
)


def run(
    ui: Ui,
    *,
    words: list[str],
    title: str | None,
    event_time: str | None,
    redact: bool,
    store_anyway: bool,
    **origin: Any,
) -> int:
    """Capture the note and acknowledge it; return 65 if it was refused.

    Raises Usage where there are no words.
    """
    from companion.operations.triage import capture
    from companion.workspace import open_workspace

    require_one_way(redact=redact, store_anyway=store_anyway)
    ws = open_workspace(ui.wiki)
    told_at = ingest.read_event_time(ws, event_time)
    draft = make_draft(origin, title=title, event_time=told_at)
    note = draft._replace(text=" ".join(words) or _read_stdin())
    doc = capture.ingest(ws, [note], redact=redact, store_anyway=store_anyway)
    ui.result(doc, ingest.text(doc))
    for fault in doc["refused"]:
        ui.hint(fault["hint"])
    return ingest.exit_code(doc)


def _read_stdin() -> str:
    if sys.stdin is None or sys.stdin.isatty():
        raise Usage(
            "no words to add",
            hint="For instance: companion add Restic runs on Sundays",
        )
    return sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
