"""`companion myself`: name the pages that say who you are."""

from collections.abc import Iterator

from companion.cli.format import Doc, ending
from companion.cli.lines import Row, Title
from companion.cli.output import Ui
from companion.cli.spec import TARGET, Command, Option

SPEC = Command(
    help="Name a page that says who you are or how you work; alone, list them.\n\n"
    "Such a page is protected like one that many others rest on: it does not fade, and a note "
    "against it needs more than others. The list says how much of its words still stand. Writes "
    "`myself: true` into the frontmatter of the page.",
    argument=TARGET._replace(required=False),
    options=(
        Option(
            "no_longer",
            ("--no-longer",),
            "name it no more",
            kind="flag",
            default=False,
        ),
    ),
)


def run(ui: Ui, *, target: list[str], no_longer: bool) -> int:
    """Name a page and print it; without one, print the self-descriptions."""
    from companion.operations.decay.owners_marks import (
        list_myself,
        name_myself,
    )
    from companion.workspace import open_workspace

    ws = open_workspace(ui.wiki)
    if not target:
        ui.result(listed := list_myself(ws), text(listed))
        return 0
    doc = name_myself(ws, " ".join(target), myself=not no_longer)
    ui.result(doc, text(doc))
    return 0


def text(doc: Doc) -> Iterator[str]:
    """Yield what a page is now, or the self-descriptions and how stable they are."""
    if "pages" in doc:
        for page in doc["pages"]:
            yield Row(page["title"], page["reason"], page["path"])
        if not doc["pages"]:
            yield "no page is named a self-description"
        return
    state = "a self-description" if doc["myself"] else "no self-description"
    already = "" if doc["commit"] else " already"
    yield Title(f"{doc['title']}: {state}{already}")
    yield from ending(doc, "")
