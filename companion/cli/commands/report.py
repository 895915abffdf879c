"""`companion report`: one HTML page about the wiki."""

from collections.abc import Iterator

from companion.cli.format import Doc
from companion.cli.output import Ui
from companion.cli.spec import Command, Option

SPEC = Command(
    help="Write one HTML page about the wiki: how it grew, what it believes, what it costs.\n\n"
    "The page needs no network. It has nothing that was told in private, and counts as no use. "
    "It needs `pip install 'companion-wiki[report]'`.",
    options=(
        Option(
            "output",
            ("--output", "-o"),
            "The file to write; else companion-report.html here.",
            metavar="FILE",
        ),
        Option(
            "open_it",
            ("--open",),
            "Open it in the browser.",
            "flag",
            False,
        ),
    ),
)


def run(ui: Ui, *, output: str | None, open_it: bool) -> int:
    """Write the report, and open it where that was asked for."""
    from companion.reading.report.write import write_report
    from companion.workspace import open_workspace

    with ui.progress("drawing the report") as progress:
        progress.begin("drawing the report")
        doc = write_report(open_workspace(ui.wiki), output)
    ui.result(doc, text(doc))
    if open_it:
        import webbrowser

        if not webbrowser.open(f"file://{doc['path']}"):
            ui.hint("There is no browser here: open the file yourself.")
    return 0


def text(doc: Doc) -> Iterator[str]:
    """Yield where the report is."""
    yield f"wrote {doc['path']} ({doc['bytes'] // 1000:,} kB)"
