"""`companion quarantine`: pages in quarantine and notes that wait, with the reason for each."""

from collections.abc import Iterator

from companion.cli.format import Doc, called, reason_of, section, short
from companion.cli.output import Ui
from companion.cli.spec import EXPLAIN, Command

SPEC = Command(
    help="List pages in quarantine and notes that wait.\n\n"
    "A page is in quarantine while something speaks against it; a note waits while it has "
    "too few sources. Each comes with its reason.",
    options=(EXPLAIN,),
)


def run(ui: Ui, *, explain: bool) -> int:
    """Print what is in quarantine and what waits."""
    from companion.reading.branches.quarantine import list_quarantine
    from companion.workspace import open_workspace

    doc = list_quarantine(open_workspace(ui.wiki))
    ui.result(doc, text(doc, explain=explain))
    if not doc["entries"] and not doc["extended"]:
        ui.hint("Nothing is in quarantine.")
    return 0


def text(doc: Doc, *, explain: bool = False) -> Iterator[str]:
    """Yield what waits, a sentence each; with *explain* also the numbers and rules behind it."""
    pages = [_page(item, explain=explain) for item in doc["entries"]]
    yield from section("in quarantine", pages)
    notes = [_note(item, explain=explain) for item in doc["extended"]]
    yield from section("waiting for more sources", notes)


def _page(item: Doc, *, explain: bool) -> tuple[str, str]:
    reason = item["reason"].removeprefix("new page in quarantine; ")
    return called(item), reason_of(reason, explain=explain)


def _note(item: Doc, *, explain: bool) -> tuple[str, str]:
    name = short(item["capture"])
    if item["title"]:
        name = f"“{item['title']}” ({name})"
    reason = reason_of(item["reason"], explain=explain)
    return name, f"against {called(item['incumbent'])}: {reason}"
