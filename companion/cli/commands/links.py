"""`companion links`: list the links of all pages, or those that no editor follows."""

from collections.abc import Iterator

from companion.cli.format import Doc, section
from companion.cli.output import Ui
from companion.cli.spec import Command, Option

SPEC = Command(
    help="List links, and why an editor does not follow some.\n\n"
    "Obsidian and zk find a page by its file name only; companion also by its title and "
    "aliases.",
    options=(
        Option(
            "broken",
            ("--broken",),
            "Only links that no editor follows, each with the reason.",
            kind="flag",
        ),
    ),
)


def run(ui: Ui, *, broken: bool) -> int:
    """Print the links of all pages; return 1 if there are none."""
    from companion.reading.links import list_links
    from companion.workspace import open_workspace

    doc = list_links(open_workspace(ui.wiki), broken=broken)
    ui.result(doc, text(doc, broken=broken))
    return 0 if doc["links"] else 1


def text(doc: Doc, *, broken: bool = False) -> Iterator[str]:
    """Yield each link with the page that it leads to, or why it leads nowhere."""
    rows = []
    for link in doc["links"]:
        reason = link["problem"] or f"→ {link['path']}"
        rows.append((f"[[{link['target']}]] in {link['page']}", reason))
    yield from section("broken links" if broken else "links", rows)
    if not rows:
        yield "no link is broken" if broken else "no page has a link"
