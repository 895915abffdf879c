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
    name, last = day_name(doc["day"]), _last_day(doc["end"])
    begin = 11
    if last > doc["day"]:  # of a longer time each line has its day
        name, begin = f"{name}, to {day_name(last)}", 0
    notes = f"{many(len(captured), 'note')} came in"
    pages = f"{many(len(changed), 'page')} changed"
    yield Title(f"{name}: {notes}, {pages}")
    yield from some([_note(note, begin) for note in captured])
    if changed:
        yield Title(pages)
    yield from some([_page(page, begin) for page in changed])


def _last_day(end: str) -> str:
    """Return the day of the last moment before *end* by this machine's clock."""
    from datetime import date, timedelta

    moment = local(end)
    if not moment.endswith(" 00:00"):
        return moment[:10]
    return (date.fromisoformat(moment[:10]) - timedelta(days=1)).isoformat()


def _note(note: Doc, begin: int) -> str:
    place = f"waits · {short(note['id'])}"
    if note["page"] is not None:
        place = f"on {note['page']['title']}"
    words = f"{note['title']} · {place}"
    return Row(local(note["at"])[begin:], words, widths=(5,), indent=2)


def _page(page: Doc, begin: int) -> str:
    state = "" if page["state"] == "active" else f" · {page['state']}"
    words = f"{page['title']}{state} · {page['path']}"
    return Row(local(page["changed"])[begin:], words, widths=(5,), indent=2)
