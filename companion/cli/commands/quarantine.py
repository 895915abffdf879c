"""`companion quarantine`: the pages in quarantine and the notes that wait, with the reason for each."""

from collections.abc import Iterator

from companion.cli.format import Doc, called, reason_of, section, short
from companion.cli.options import EXPLAIN
from companion.cli.output import Ui
from companion.cli.spec import Command

SPEC = Command(
    help="List pages in quarantine and notes that wait, with the reason for each.",
    options=(EXPLAIN,),
)


def run(ui: Ui, *, explain: bool) -> int:
    from companion.reading import branches as minority
    from companion.workspace import open_workspace

    doc = minority.list_quarantine(open_workspace(ui.wiki))
    ui.result(doc, text(doc, explain=explain))
    if not doc["entries"] and not doc["extended"]:
        ui.hint("nothing is in quarantine.")
    return 0


def text(doc: Doc, *, explain: bool = False) -> Iterator[str]:
    """Yield what waits, a sentence each; with *explain* also the numbers and rules behind it."""
    pages = (
        (called(item), reason_of(_judged(item["reason"]), explain=explain))
        for item in doc["entries"]
    )
    yield from section("in quarantine", pages)
    notes = (
        (_note(item), _waits(item, explain=explain)) for item in doc["extended"]
    )
    yield from section("waiting for more sources", notes)


def _waits(item: Doc, *, explain: bool) -> str:
    reason = reason_of(item["reason"], explain=explain)
    return f"against {called(item['incumbent'])}: {reason}"


def _note(item: Doc) -> str:
    return (
        f"“{item['title']}” ({short(item['capture'])})"
        if item["title"]
        else short(item["capture"])
    )


def _judged(reason: str) -> str:
    return reason.removeprefix("new page in quarantine; ")
