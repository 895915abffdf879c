"""`companion sources`: list what came in from outside, and what could not be read."""

from collections.abc import Iterator, Sequence

from companion.cli.format import Doc, local, short, some
from companion.cli.lines import Title
from companion.cli.output import Ui
from companion.cli.spec import Command
from companion.values.wording import many

SPEC = Command(
    help="List the sources of the wiki: pages, papers, mails, conversations.\n\n"
    "Each with its depth and where it came from; then what waits, and what could not be read "
    "and why.",
)


def run(ui: Ui) -> int:
    """Print the sources; exit code 1 where there are none."""
    from companion.reading.sources import list_all_sources
    from companion.workspace import open_workspace

    doc = list_all_sources(open_workspace(ui.wiki))
    ui.result(doc, text(doc))
    return 0 if any(doc.values()) else 1


def text(doc: Doc) -> Iterator[str]:
    """Yield each source with its depth, and what waits."""
    if doc["sources"]:
        yield Title(many(len(doc["sources"]), "source"))
        yield from some(_sources(doc["sources"]))
    if doc["waiting"]:
        yield f"{many(doc['waiting'], 'original')} waiting: `companion contextualize` reads them"
    for title, rows in (
        ("passed over", _unread(doc["passed_over"])),
        ("could not be read", _unread(doc["unread"])),
        ("kept back for you", _locked(doc["locked"])),
    ):
        if rows:
            yield Title(f"{title} {len(rows):,}")
            yield from some(rows)
    if not any(doc.values()):
        yield "no source came in yet: `companion ingest` takes files, folders and addresses"


def _sources(items: Sequence[Doc]) -> Iterator[str]:
    for item in items:
        where = item["url"] or item["origin"] or ""
        yield f"  {item['title'] or where}  ({item['depth']})"
        # memories are notes, each on the page of what it is about
        page = "notes" if item["kind"] == "memories" else short(item["entry"])
        yield f"    {local(item['read_at'])[:10]} · {page} · {where}"


def _unread(items: Sequence[Doc]) -> list[str]:
    return [
        f"  {item['origin']}: {item['reason']}. {item['hint']}".rstrip()
        for item in items
    ]


def _locked(items: Sequence[Doc]) -> list[str]:
    return [
        f"  {item['origin']}: it holds a secret ({', '.join(item['kinds'])}); `companion review`"
        for item in items
    ]
