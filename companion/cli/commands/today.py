"""`companion today`: what came in and what changed today, or on another day."""

from collections.abc import Iterator

from companion.cli.errors import NOTHING_FOUND
from companion.cli.format import Doc, day_name, local, short, some
from companion.cli.lines import Row, Title
from companion.cli.output import Ui
from companion.cli.spec import READER, Argument, Command
from companion.values.wording import many

SPEC = Command(
    help="Tell what came in and what changed today, by your own clock.\n\n"
    "Another day does, too: `companion today yesterday`, `companion today 2026-03-01`.",
    argument=Argument(
        "day", "DAY", "Another day, or a longer time: last week.", many=True
    ),
    options=(READER,),
)


def run(ui: Ui, *, day: list[str], agent: str | None) -> int:
    """Print the notes and pages of a day; return 1 if there are none."""
    from companion.reading.overview.day import describe_day
    from companion.workspace import open_workspace

    ws = open_workspace(ui.wiki, agent)
    doc = describe_day(ws, " ".join(day) if day else None)
    ui.result(doc, text(doc))
    if doc["captured"] or doc["changed"]:
        return 0
    ui.hint("`companion list` names what changed last.")
    return NOTHING_FOUND


def text(doc: Doc) -> Iterator[str]:
    """Yield the notes that came in with their pages, and the pages that changed."""
    captured, changed = doc["captured"], doc["changed"]
    last = max((note["at"] for note in captured), default=doc["start"])
    last = max([last, *(page["changed"] for page in changed)])
    # of a longer time each line has its day
    begin = 11 if local(last)[:10] == doc["day"] else 0
    notes = f"{many(len(captured), 'note')} came in"
    pages = f"{many(len(changed), 'page')} changed"
    since = "" if begin else "since "
    yield Title(f"{since}{day_name(doc['day'])}: {notes}, {pages}")
    yield from some([_note(note, begin) for note in captured])
    if changed:
        yield Title(pages)
    yield from some([_page(page, begin) for page in changed])


def _note(note: Doc, begin: int) -> str:
    place = f"waits · {short(note['id'])}"
    if note["page"] is not None:
        place = f"on {note['page']['title']}"
    words = f"{note['title']} · {place}"
    return Row(local(note["at"])[begin:], words, widths=(5,), indent=2)


def _page(page: Doc, begin: int) -> str:
    words = f"{page['title']} · {page['path']}"
    return Row(local(page["changed"])[begin:], words, widths=(5,), indent=2)
