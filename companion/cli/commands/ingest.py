"""`companion ingest`: take in text, files and web pages; what it acknowledges is on disk."""

import sys
from collections.abc import Iterable, Iterator

from companion.annotations import TYPE_CHECKING, Any
from companion.cli.capture_arguments import make_draft, require_one_way
from companion.cli.errors import BAD_DATA
from companion.cli.format import MANY, Doc, counts, short
from companion.cli.output import Ui
from companion.cli.spec import ORIGIN, Argument, Command, Option

if TYPE_CHECKING:
    from companion.workspace import Workspace

SPEC = Command(
    help="Take in notes, files, folders, exports and web pages.\n\n"
    "What it acknowledges is safe on disk. An existing file or folder is read, a web address is "
    "fetched, - reads standard input; anything else is the text of a note. Plain texts are notes; "
    "of documents, mails and exports the bytes are kept, and the next night reads them. A first "
    "line `# Title` is a note's title.",
    argument=Argument(
        "what", "TEXT|FILE|FOLDER|URL|-", "What to take in.", many=True
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
            "Since when it is so: 2026-11-21T18:30Z, or yesterday.",
            metavar="TIME",
        ),
        *ORIGIN,
        Option(
            "dry_run",
            ("--dry-run",),
            "Show what would be taken in, and store nothing.",
            "flag",
            False,
        ),
        Option(
            "explain",
            ("--explain",),
            "Name every file, and say what to do about it.",
            "flag",
            False,
        ),
    ),
    hot=True,
)

#: exit codes of what the web did not give; anything else that was refused is bad data
_EXITS = {"unavailable": 69, "broken-off": 74, "later": 75}
_SOME = 10  # names of one kind that a long answer shows
_WIDTH = 9  # columns of the word at the beginning of a line


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
    dry_run: bool,
    explain: bool,
    **origin: Any,
) -> int:
    """Capture and acknowledge; return 65 if something was refused that was asked for by name."""
    from companion.workspace import open_workspace

    require_one_way(redact=redact, store_anyway=store_anyway)
    from companion.operations.triage import arguments, capture

    ws = open_workspace(ui.wiki)
    told_at = read_event_time(ws, event_time)
    items = arguments.drafts(
        what,
        lines=lines,
        jsonl=jsonl,
        defaults=make_draft(origin, title=title, event_time=told_at),
        stdin=None if sys.stdin is None else sys.stdin.buffer,
    )
    with ui.progress("captured") as progress:
        doc = capture.ingest(
            ws,
            items,
            redact=redact,
            store_anyway=store_anyway,
            dry_run=dry_run,
            progress=progress,
        )
    ui.result(doc, text(doc, explain=explain))
    for hint in dict.fromkeys(fault["hint"] for fault in doc["refused"]):
        ui.hint(hint)
    if any(map(_has_new_blanks, doc["originals"])):
        ui.hint("--store-anyway keeps the secrets of documents.")
    if doc["originals"] and (title or event_time):
        ui.hint(
            "--title and --event-time are for notes: documents say their own."
        )
    if dry_run:
        ui.hint_dry_run()
    return exit_code(doc)


def read_event_time(ws: "Workspace", event_time: str | None) -> str | None:
    """Return the event time as TRIAGE takes it; words are read. Raises BadTime."""
    if event_time is None:
        return None
    from companion.lookup.time_words import read_told

    return read_told(ws, event_time)


def exit_code(doc: Doc) -> int:
    """Return the exit code of a capture: 0, or that of what was refused."""
    codes = [_EXITS.get(item["kind"], BAD_DATA) for item in doc["refused"]]
    return BAD_DATA if BAD_DATA in codes else max(codes, default=0)


def text(doc: Doc, *, explain: bool = False) -> Iterator[str]:
    """Yield the counts, where there is more than one thing, and then what became of each."""
    number = len(doc["captures"]) + len(doc["originals"])
    number += len(doc["passed_over"]) + len(doc["refused"])
    if number > 1:
        yield _counts(doc["counts"])
    notes = [_capture(capture) for capture in doc["captures"]]
    yield from _some(notes, explain=explain)
    named = _list_named(doc["originals"], explain=explain)
    for status in ("kept", "known"):
        alike = [_original(one) for one in named if one["status"] == status]
        yield from _some(alike, explain=explain)
    blanked = [
        _blanked(item) for item in doc["originals"] if _has_new_blanks(item)
    ]
    yield from _some(blanked, explain=explain)
    yield from _passed_over(doc["passed_over"], explain=explain)
    faults = [_refusal(fault) for fault in doc["refused"]]
    yield from _some(faults, explain=explain)


def _list_named(originals: list[Doc], *, explain: bool) -> list[Doc]:
    """Return *originals*; without *explain*, those that are no members of a container."""
    return [one for one in originals if explain or one["container"] is None]


def _counts(numbers: Doc) -> str:
    names = {
        "captured": "captured",
        "seen": "seen",
        "kept": "kept",
        "known": "known",
        "passed_over": "passed over",
        "refused": "refused",
    }
    return counts({name: numbers[key] for key, name in names.items()})


def _some(lines: list[str], *, explain: bool) -> Iterator[str]:
    """Yield *lines*; the first few of them if they are many."""
    if explain or len(lines) <= MANY:
        yield from lines
        return
    yield from lines[:_SOME]
    more = len(lines) - _SOME
    word = lines[0].split()[0]
    yield f"{word:<{_WIDTH}} … and {more:,} more (--explain lists all)"


def _capture(capture: Doc) -> str:
    title = capture["title"] or ""
    line = f"{capture['status']:<{_WIDTH}} {short(capture['id'])}  {title}"
    return line.rstrip()


def _original(item: Doc) -> str:
    name = item["name"]
    if item["container"] or item["url"]:
        name = item["source"]
    line = f"{item['status']:<{_WIDTH}} {short(item['id'])}  {name}"
    members = item["members"]
    if members is None:
        return line
    told = {
        "new": members["kept"],
        "known": members["known"],
        "passed over": members["passed_over"],
        "refused": members["refused"],
    }
    return f"{line} ({counts(told)} in it)"


def _has_new_blanks(item: Doc) -> bool:
    return bool(item["blanked"]) and item["status"] == "kept"


def _blanked(item: Doc) -> str:
    kinds = ", ".join(dict.fromkeys(item["blanked"]))
    return f"{'blanked':<{_WIDTH}} {kinds} in {item['source']}"


def _passed_over(items: Iterable[Doc], *, explain: bool) -> Iterator[str]:
    """Yield a line for each kind of file that was passed over, with names; all with *explain*."""
    kinds: dict[str, list[Doc]] = {}
    for item in items:
        kinds.setdefault(item["reason"], []).append(item)
    for reason, group in kinds.items():
        if explain:
            for item in group:
                yield f"passed over {item['origin']}: {reason}. {item['hint']}"
            continue
        names = [_last_part(item["origin"]) for item in group[:_SOME]]
        more = len(group) - len(names)
        if more:
            names.append(f"and {more:,} more (--explain lists all)")
        yield f"passed over {reason}: {', '.join(names)}"


def _last_part(origin: str) -> str:
    return origin.rpartition("/")[2] or origin


def _refusal(fault: Doc) -> str:
    place = f"{fault['origin']}: " if fault["origin"] else ""
    return f"{'refused':<{_WIDTH}} {place}{fault['reason']}"
