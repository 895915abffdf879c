"""`companion pin`: keep a page from fading, or list the pinned pages."""

from collections.abc import Iterator

from companion.cli.format import Doc, ending
from companion.cli.lines import Row, Title
from companion.cli.output import Ui
from companion.cli.spec import TARGET, Command

SPEC = Command(
    help="Keep a page from fading; alone, list pinned pages.\n\n"
    "Writes `pinned: true` into the frontmatter of the page.",
    argument=TARGET._replace(required=False),
)


def run(ui: Ui, *, target: list[str]) -> int:
    """Pin a page and print it; without one, print the pinned pages."""
    from companion.operations.decay.owners_marks import pin, pins
    from companion.workspace import open_workspace

    ws = open_workspace(ui.wiki)
    doc = pin(ws, " ".join(target)) if target else pins(ws)
    ui.result(doc, text(doc))
    return 0


def text(doc: Doc) -> Iterator[str]:
    """Yield whether a page is pinned now, or the pinned pages."""
    if "pins" in doc:
        for page in doc["pins"]:
            yield Row(page["title"], page["path"])
        if not doc["pins"]:
            yield "no page is pinned"
        return
    state = "pinned" if doc["pinned"] else "no longer pinned"
    already = "" if doc["commit"] else " already"
    yield Title(f"{doc['title']}: {state}{already}")
    yield from ending(doc, "")
