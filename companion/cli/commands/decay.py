"""`companion decay`: compress, then archive, unused pages; protect pages that others depend on."""

from collections.abc import Iterator, Sequence

from companion.cli.format import (
    Doc,
    ending,
    left_out,
    reason_of,
    section,
    some,
)
from companion.cli.lines import Title
from companion.cli.output import Ui
from companion.cli.spec import DRY_RUN, EXPLAIN, Command
from companion.values.wording import many

SPEC = Command(
    help="Compress, then archive, pages that nobody uses.\n\n"
    "A page whose vitality is low is compressed, its full text kept in cold memory; much "
    "later it is archived. A page that others depend on, a pinned page and a page of your "
    "own keep their text. --dry-run shows all that would fade, and why.",
    options=(DRY_RUN, EXPLAIN),
)


def run(ui: Ui, *, dry_run: bool, explain: bool) -> int:
    """Let unused pages fade, and print what changed."""
    from companion.operations.decay.run import decay
    from companion.workspace import open_workspace

    with ui.progress("weighing pages") as progress:
        doc = decay(open_workspace(ui.wiki), dry_run=dry_run, progress=progress)
    ui.result(doc, text(doc, explain=explain))
    if dry_run:
        ui.hint_dry_run()
    return 0


def text(doc: Doc, *, explain: bool = False) -> Iterator[str]:
    """Yield what changes, a sentence for each page; with *explain* also the numbers behind it."""
    entries = many(doc["entries"], "entry")
    yield Title(
        f"weighed {entries}: other pages depend on {doc['above']:,} of them"
    )
    if explain:
        floor = doc["floor"]
        yield f"  their gravity is above the floor {floor['value']:.2f}: {floor['rule']}"
    for name in ("protected", "unprotected"):
        heading = f"would be {name}" if doc["dry_run"] else name
        rows = [_flag(item, explain=explain) for item in doc[name]]
        yield from section(heading, rows)
    yield from _steps(doc, explain=explain)
    yield from left_out(doc)
    yield from ending(doc, "nothing fades, and no flag changes")


def _flag(item: Doc, *, explain: bool) -> tuple[str, str]:
    reason = reason_of(item["reason"], explain=explain)
    return item["path"] or item["entry"], reason


_STEPS = {
    "decaying": ("fading", "would fade"),
    "compressed": ("compressed", "would be compressed"),
    "archived": ("archived", "would be archived"),
    "restored": ("restored", "would be restored"),
    "kept": ("kept, although hardly used", "kept, although hardly used"),
}


def _steps(doc: Doc, *, explain: bool) -> Iterator[str]:
    """Yield the entries that fade, those that come back, and those kept though their vitality is
    low.
    """
    for name, headings in _STEPS.items():
        if doc[name]:
            yield Title(f"{headings[doc['dry_run']]} {len(doc[name]):,}")
            yield from some(_entries(doc[name], explain=explain))
    verb = "would archive" if doc["dry_run"] else "archived"
    count = many(len(doc["statements"]), "statement")
    yield from _statements(
        f"{verb} {count} that lost", doc["statements"], explain=explain
    )
    verb = "would move" if doc["dry_run"] else "moved"
    count = many(len(doc["misled"]), "statement")
    yield from _statements(
        f'{verb} {count} that misled under "Earlier"',
        doc["misled"],
        explain=explain,
    )
    if doc["decides"] is None:
        yield "nothing fades before the wiki was used on seven days"


def _statements(
    heading: str, items: Sequence[Doc], *, explain: bool
) -> Iterator[str]:
    if items:
        yield Title(heading)
    for item in items:
        yield f"  {item['path']} ^{item['capture'][:12]}"
        yield f"    {reason_of(item['reason'], explain=explain)}"


def _entries(items: Sequence[Doc], *, explain: bool) -> Iterator[str]:
    for item in items:
        yield f"  {item['title']}  {item['path']}{_change(item)}"
        yield f"    {reason_of(item['reason'], explain=explain)}"


def _change(item: Doc) -> str:
    if not item["managed"]:
        return "  (your own page: only its rank in a search changes)"
    if item["distortion"] is None:
        return ""
    share = round(100 * item["distortion"])
    return f"  ({share} % of its words leave the page; `companion recall` shows them)"
