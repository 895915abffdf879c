"""`companion show`: show one page or capture."""

from collections.abc import Iterator

from companion.cli.entry_text import audited, faded, shift, used, weight
from companion.cli.format import Doc, short, state_of, titled, whole_text
from companion.cli.lines import Aside, Title
from companion.cli.output import Ui
from companion.cli.spec import EXPLAIN, READER, TARGET, Command, Option

SPEC = Command(
    help="Show a page or a note.",
    argument=TARGET,
    options=(
        Option(
            "raw",
            ("--raw",),
            "Print the stored text and nothing else.",
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
    """Print a page or a capture; with *raw*, its stored text and nothing else."""
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
    known = (doc["kind"], doc["path"], short(doc["id"]))
    yield Aside("  " + " · ".join(part for part in known if part))
    yield from weight(doc, explain=explain)
    yield from used(doc, explain=explain)
    yield from faded(doc, explain=explain)
    yield from shift(doc)
    for record in doc.get("audits", ()):
        yield f"  {audited(record)}"
    for support in doc.get("rests_on", ()):
        yield f"  Depends on a replaced page: {support['reason']}  (question {support['flag']})"
    yield ""
    yield from whole_text(doc["text"])
