"""`companion decay`: let fade what nobody needs any more, and protect what bears weight."""

from collections.abc import Iterator

from companion.cli.format import Doc, ending, section, some
from companion.cli.options import DRY_RUN
from companion.cli.output import Title, Ui
from companion.cli.spec import Command
from companion.values.wording import many

SPEC = Command(
    help="Let fade what nobody needs any more, and protect what bears weight.\n\n"
    "A page whose vitality is low is compressed, its full text kept in cold memory; much later it is archived. "
    "What bears weight, is pinned, or is a page of your own keeps its text. --dry-run shows all that would fade, "
    "and why.",
    options=(DRY_RUN,),
)


def run(ui: Ui, *, dry_run: bool) -> int:
    from companion.operations.decay import run as decaying
    from companion.workspace import open_workspace

    with ui.progress("weighing entries") as progress:
        doc = decaying.decay(open_workspace(ui.wiki), dry_run=dry_run, progress=progress)
    ui.result(doc, text(doc))
    if dry_run:
        ui.hint("that was a dry run: nothing was changed.")
    return 0


def text(doc: Doc) -> Iterator[str]:
    floor = doc["floor"]
    yield Title(
        f"weighed {many(doc['entries'], 'entry')}: {doc['above']:,} above the floor {floor['value']:.2f}"
    )
    yield f"  floor: {floor['rule']}"
    for name in ("protected", "unprotected"):
        said = f"would be {name}" if doc["dry_run"] else name
        yield from section(
            said, ((item["path"] or item["entry"], item["reason"]) for item in doc[name])
        )
    yield from _steps(doc)
    yield from section("left out", ((item["path"], item["reason"]) for item in doc["left_out"]))
    yield from ending(doc, "nothing fades, and no flag changes")


_STEPS = {
    "decaying": ("fading", "would fade"),
    "compressed": ("compressed", "would be compressed"),
    "archived": ("archived", "would be archived"),
    "restored": ("restored", "would be restored"),
    "kept": ("kept, although little speaks for them", "kept, although little speaks for them"),
}


def _steps(doc: Doc) -> Iterator[str]:
    """Yield every entry that fades or comes back, and every one that does not although its vitality
    is low.
    """
    for name, said in _STEPS.items():
        if doc[name]:
            yield Title(f"{said[doc['dry_run']]} {len(doc[name]):,}")
            yield from some(line for item in doc[name] for line in _entry(item))
    if doc["decides"] is None:
        yield "nothing fades before the wiki was used on seven days"


def _entry(item: Doc) -> Iterator[str]:
    yield f"  {item['title']}  {item['path']}{_change(item)}"
    yield f"    {item['reason']}"


def _change(item: Doc) -> str:
    if not item["managed"]:
        return "  (yours: only its rank in a search changes)"
    if item["distortion"] is None:
        return ""
    return f"  ({round(100 * item['distortion'])} % of its words leave the page; `companion recall` shows them)"
