"""`companion adopt`: take pages you changed by hand into the wiki."""

from collections.abc import Iterator

from companion.cli.format import Doc, ending, left_out, section
from companion.cli.output import Ui
from companion.cli.spec import DRY_RUN, Command

SPEC = Command(
    help="Take pages you changed by hand into the wiki.\n\n"
    "Edited, new, renamed and deleted pages are recorded in one commit in your name.",
    options=(DRY_RUN,),
)


def run(ui: Ui, *, dry_run: bool) -> int:
    """Adopt the pages changed by hand, and print them."""
    from companion.adoption.run import adopt
    from companion.workspace import open_workspace

    with ui.progress("adopting pages") as progress:
        doc = adopt(open_workspace(ui.wiki), dry_run=dry_run, progress=progress)
    ui.result(doc, text(doc))
    if dry_run:
        ui.hint_dry_run()
    return 0


def text(doc: Doc) -> Iterator[str]:
    """Yield every page that was changed by hand, with what was done about it."""
    for name in ("new", "edited", "renamed", "deleted"):
        yield from section(name, [_change(item) for item in doc[name]])
    yield from left_out(doc)
    yield from ending(doc, "no page was changed by hand")


def _change(item: Doc) -> tuple[str, str]:
    path = item["path"]
    if item.get("from"):
        path = f"{item['from']} → {path}"
    return path, item.get("reason", "")
