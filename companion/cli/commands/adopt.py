"""`companion adopt`: take pages you changed by hand into the wiki."""

from collections.abc import Iterator

from companion.cli.format import Doc, ending, section
from companion.cli.options import DRY_RUN
from companion.cli.output import Ui
from companion.cli.spec import Command

SPEC = Command(
    help="Take pages you changed by hand into the wiki.",
    options=(DRY_RUN,),
)


def run(ui: Ui, *, dry_run: bool) -> int:
    from companion.adoption import run as adopting
    from companion.workspace import open_workspace

    with ui.progress("adopting pages") as progress:
        doc = adopting.adopt(
            open_workspace(ui.wiki), dry_run=dry_run, progress=progress
        )
    ui.result(doc, text(doc))
    if dry_run:
        ui.hint("that was a dry run: nothing was changed.")
    return 0


def text(doc: Doc) -> Iterator[str]:
    for name in ("new", "edited", "renamed", "deleted"):
        yield from section(name, (_change(item) for item in doc[name]))
    yield from section(
        "left out", ((item["path"], item["reason"]) for item in doc["left_out"])
    )
    yield from ending(doc, "no page was changed by hand")


def _change(item: Doc) -> tuple[str, str]:
    return (
        f"{item['from']} → {item['path']}" if item.get("from") else item["path"]
    ), item.get("reason", "")
