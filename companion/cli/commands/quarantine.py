"""`companion quarantine`: what waits beside the wiki, and why."""

from collections.abc import Iterator

from companion.cli.format import Doc, called, section, short
from companion.cli.output import Ui
from companion.cli.spec import Command

SPEC = Command(
    help="What waits beside the wiki, and why.",
)


def run(ui: Ui) -> int:
    from companion.reading import branches as minority
    from companion.workspace import open_workspace

    doc = minority.quarantine(open_workspace(ui.wiki))
    ui.result(doc, text(doc))
    if not doc["entries"] and not doc["extended"]:
        ui.hint("nothing is in quarantine.")
    return 0


def text(doc: Doc) -> Iterator[str]:
    yield from section(
        "in quarantine", ((called(item), _judged(item["reason"])) for item in doc["entries"])
    )
    waiting = (
        (_note(item), f"against {called(item['incumbent'])}: {item['reason']}")
        for item in doc["extended"]
    )
    yield from section("in the extended buffer", waiting)


def _note(item: Doc) -> str:
    return (
        f"“{item['title']}” ({short(item['capture'])})" if item["title"] else short(item["capture"])
    )


def _judged(reason: str) -> str:
    return reason.removeprefix("new page in quarantine; ")
