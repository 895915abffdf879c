"""`companion triage`: capture an endless stream, line by line, acknowledging each."""

import sys
from collections.abc import Iterator
from typing import Any

from companion.cli.capture_arguments import make_draft, require_one_way
from companion.cli.errors import BAD_DATA, Usage
from companion.cli.format import Doc
from companion.cli.output import Ui
from companion.cli.spec import ORIGIN, Argument, Command

SPEC = Command(
    help="Capture an endless stream, line by line.\n\n"
    "Every line of standard input is safe on disk before it is acknowledged: by `captured "
    "ID`, `seen ID` or `refused REASON` (with --json, one JSON object per line).",
    argument=Argument(
        "stream", "-", "Standard input, the only stream there is."
    ),
    options=ORIGIN,
    hot=True,
)


def run(
    ui: Ui,
    *,
    stream: str | None,
    redact: bool,
    store_anyway: bool,
    **origin: Any,
) -> int:
    """Capture each line and acknowledge it; return 65 if one was refused.

    Raises Usage if there is no standard input.
    """
    from companion.workspace import open_workspace

    if stream not in (None, "-"):
        raise Usage(
            "triage reads standard input only",
            hint="Write `companion triage - < FILE`, or use ingest.",
        )
    require_one_way(redact=redact, store_anyway=store_anyway)
    refused = 0

    def acknowledge(ack: Doc) -> None:
        """Print what became of one line, at once: who feeds the stream may be waiting."""
        nonlocal refused
        refused += ack["status"] == "refused"
        if ui.json:
            ui.document(ack, indent=None)
        else:
            for line in text(ack):
                ui.line(line)
        ui.flush()

    from companion.operations.triage import capture

    if sys.stdin is None:
        raise Usage("standard input is closed", hint="Pipe the lines in.")
    defaults = make_draft(origin, title=None, event_time=None)
    capture.triage_stream(
        open_workspace(ui.wiki),
        sys.stdin.buffer,
        defaults,
        acknowledge=acknowledge,
        redact=redact,
        store_anyway=store_anyway,
    )
    return BAD_DATA if refused else 0


def text(ack: Doc) -> Iterator[str]:
    """Yield the acknowledgement of one line of the stream."""
    outcome = ack["reason"] if ack["status"] == "refused" else ack["id"]
    yield f"{ack['status']} {outcome}"
