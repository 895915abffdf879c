"""`companion recall`: give back a page that faded, or the original of a source."""

from collections.abc import Iterator

from companion.cli.format import Doc, at, ending, short, whole_text
from companion.cli.lines import Aside, Title
from companion.cli.output import Ui
from companion.cli.spec import DRY_RUN, READER, Argument, Command, Option

SPEC = Command(
    help="Give back the original of a source, or the full text of a page that "
    "faded.\n\n"
    "--restore makes a compressed page whole again, and a new page of an archived one; "
    "`undo` takes that back.",
    argument=Argument(
        "target",
        "TARGET",
        "A page, a note on a page (^id), a claim, or a source: its address or "
        "the path that it came from.",
        True,
        True,
    ),
    options=(
        Option(
            "span",
            ("--span",),
            "Show the passages of the original that the page was made of.",
            "flag",
            False,
        ),
        Option(
            "output",
            ("-o", "--output"),
            "Write the original to this file or into this folder, to the "
            "byte; - for stdout. Nothing is written over.",
            metavar="FILE",
        ),
        Option(
            "restore", ("--restore",), "Make it a page again.", "flag", False
        ),
        DRY_RUN,
        READER,
    ),
)


def run(
    ui: Ui,
    *,
    target: list[str],
    span: bool,
    output: str | None,
    restore: bool,
    dry_run: bool,
    agent: str | None,
) -> int:
    """Print the full text of a page, or give back the original of a source."""
    from companion.cli.errors import Usage
    from companion.reading.recall import STDOUT, open_original, recall
    from companion.usage.attribution import ORIGINAL
    from companion.usage.record_read import record_read
    from companion.workspace import open_workspace

    if output == STDOUT and ui.json:
        raise Usage(
            "--json and -o - both print to stdout",
            hint="Name a file: -o FILE.",
        )
    ws = open_workspace(ui.wiki, agent)
    doc: Doc = recall(
        ws,
        " ".join(target),
        restore=restore,
        dry_run=dry_run,
        span=span,
        output=output,
    )
    if "original" not in doc:
        ui.result(doc, text(doc))
        ui.hint_unrecorded(record_read(ws, "recall", "", [doc["entry"]]))
        if not restore:
            ui.hint("`--restore` makes it a page again.")
        return 0
    if output == STDOUT:
        with open_original(ws, doc["original"]) as file:
            ui.copy(file)
    else:
        ui.result(doc, text(doc, span=span))
    entry = doc["entry"]
    went_for_it = span or output is not None
    if entry is not None:
        verb = ORIGINAL if went_for_it else "show"
        ui.hint_unrecorded(record_read(ws, verb, "", [entry]))
    if not went_for_it:
        ui.hint("`-o FILE` writes the original; `--span` shows its passages.")
    return 0


def text(doc: Doc, *, span: bool = False) -> Iterator[str]:
    """Yield the full text, the page that was restored, or what is known of an original."""
    if "original" in doc:
        yield from _original(doc, span=span)
    else:
        yield from _full_text(doc)


def _full_text(doc: Doc) -> Iterator[str]:
    if doc["restored"]:
        verb = "would be restored" if doc["dry_run"] else "restored"
        new = ""
        if doc["restored"] != doc["entry"]:
            new = f" as {short(doc['restored'])}"
        yield Title(f"{doc['title']}: {verb}{new}")
    else:
        yield Title(f"{doc['title']}  ({doc['state']}; this is its full text)")
        yield ""
        yield from whole_text(doc["text"])
    yield from ending(doc, "")


def _original(doc: Doc, *, span: bool) -> Iterator[str]:
    yield Title(doc["title"])
    yield Aside(f"  {doc['media_type']} · {_size(doc['size'])}")
    yield Aside(f"  from {doc['url'] or doc['source']}")
    yield Aside(f"  taken in {at(doc['received_at'])}")
    yield Aside(f"  sha256 {doc['original']}")
    if doc["depth"]:
        yield Aside(f"  the page keeps: {doc['depth']}")
    if doc["blanked"]:
        yield f"Secrets were blanked in it: {', '.join(doc['blanked'])}."
    if doc["file"]:
        yield f"Written to {doc['file']}."
    for passage in doc["passages"]:
        yield ""
        yield Aside(passage["place"] or f"from character {passage['start']}")
        yield from whole_text(passage["text"])
    if span and not doc["passages"]:
        yield "The page keeps no passage of it: only the link."


def _size(size: int) -> str:
    if size < 1000:
        return f"{size} bytes"
    if size < 1_000_000:
        return f"{size / 1000:.0f} kB"
    return f"{size / 1_000_000:.1f} MB"
