"""`companion pin`: keep a page from fading: `pinned: true` in its frontmatter. Alone, list what is pinned."""

from collections.abc import Iterator

from companion.cli.format import Doc, ending
from companion.cli.options import TARGET
from companion.cli.output import Title, Ui
from companion.cli.spec import Command

SPEC = Command(
    help="Keep a page from fading: `pinned: true` in its frontmatter. Alone, list what is pinned.",
    argument=TARGET._replace(required=False),
)


def run(ui: Ui, *, target: list[str]) -> int:
    from companion.operations.decay import recall as recalling
    from companion.workspace import open_workspace

    ws = open_workspace(ui.wiki)
    doc = recalling.pin(ws, " ".join(target)) if target else recalling.pins(ws)
    ui.result(doc, text(doc))
    return 0


def text(doc: Doc) -> Iterator[str]:
    if "pins" in doc:
        yield from (f"{each['title']}  {each['path']}" for each in doc["pins"])
        yield from ([] if doc["pins"] else ["nothing is pinned"])
        return
    said = "pinned" if doc["pinned"] else "no longer pinned"
    yield Title(f"{doc['title']}: {said}{'' if doc['commit'] else ' already'}")
    yield from ending(doc, "")
