"""`companion show`: show one page or capture."""

from collections.abc import Iterator

from companion.cli.entry_text import audited, faded, shift, used, weight
from companion.cli.format import Doc, short, state_of, titled
from companion.cli.options import EXPLAIN, READER, TARGET
from companion.cli.output import Title, Ui
from companion.cli.spec import Command, Option

SPEC = Command(
    help="Show one page or capture.",
    argument=TARGET,
    options=(
        Option(
            "raw",
            ("--raw",),
            "The stored text and nothing else.",
            "flag",
            False,
        ),
        EXPLAIN,
        READER,
    ),
    hot=True,
)


def run(
    ui: Ui, *, target: list[str], raw: bool, explain: bool, agent: str | None
) -> int:
    from companion.reading.show import show_target
    from companion.usage.record_read import record_show
    from companion.workspace import open_workspace

    ws = open_workspace(ui.wiki, agent)
    doc = show_target(ws, " ".join(target))
    if raw and not ui.json:
        ui.verbatim(doc["text"])
        ui.warn(doc)
    else:
        ui.result(doc, text(doc, explain=explain))
    ui.hint_unrecorded(record_show(ws, doc))
    return 0


def text(doc: Doc, *, explain: bool = False) -> Iterator[str]:
    """Yield the page or capture; with *explain* also its gravity, utility and vitality."""
    yield Title(titled(doc) + state_of(doc["state"]))
    yield "  " + " · ".join(
        part for part in (doc["kind"], doc["path"], short(doc["id"])) if part
    )
    yield from weight(doc, explain=explain)
    yield from used(doc, explain=explain)
    yield from faded(doc, explain=explain)
    yield from shift(doc)
    yield from (f"  {audited(record)}" for record in doc.get("audits", ()))
    for each in doc.get("rests_on", ()):
        yield f"  rests on a replaced page: {each['reason']}  (question {each['flag']})"
    yield ""
    yield from (
        line.rstrip("\r") for line in doc["text"].rstrip("\n").split("\n")
    )
