"""`companion export`: write everything to plain files in a new folder, or in another form."""

from collections.abc import Iterator

from companion.cli.errors import Usage
from companion.cli.format import Doc, counts, exchanged
from companion.cli.lines import Title
from companion.cli.output import Ui
from companion.cli.spec import PRIVATE, Argument, Command, Option

_FORMS = {
    "sqlite": "A SQLite database of entries, edges, claims and audits.",
    "csv": "The same tables as CSV files in a folder.",
    "okf": "A folder in the Open Knowledge Format, with llms.txt.",
    "html": "A site of all pages in a folder, for any browser.",
    "github": "A folder of pages whose links work on GitHub, with a README.",
}

SPEC = Command(
    help="Write everything to plain files in a new folder, or another form of it.\n\n"
    "Alone it writes all that `companion import` needs. The other forms have what everybody may "
    "know: pages, links, claims, never private notes.",
    argument=Argument(
        "directory",
        "PATH",
        "A new or empty folder (for --graph and --sqlite a new file), outside the wiki.",
        required=True,
    ),
    options=(
        PRIVATE,
        Option(
            "graph",
            ("--graph",),
            "The graph of pages, for Gephi, networkx, Graphviz.",
            "choice",
            choices=("graphml", "json", "dot"),
        ),
        *(
            Option(name, (f"--{name}",), text, "flag", False)
            for name, text in _FORMS.items()
        ),
    ),
)


def run(
    ui: Ui,
    *,
    directory: str,
    with_private: bool,
    graph: str | None,
    **forms: bool,
) -> int:
    """Export the wiki and print how much was written. Raises Usage where forms contradict."""
    from companion.workspace import open_workspace

    chosen = [name for name, is_chosen in forms.items() if is_chosen]
    if graph is not None:
        chosen.append(graph)
    if len(chosen) > 1:
        raise Usage("one form at a time", hint="Call export once for each.")
    if chosen and with_private:
        raise Usage(
            "this form has no private notes",
            hint="`companion export DIR --with-private` writes them to plain files.",
        )
    ws = open_workspace(ui.wiki)
    if chosen:
        from companion.maintenance.exports.run import export_as

        made = export_as(ws, chosen[0], directory)  # type: ignore[arg-type]
        ui.result(made, text(made))
        return 0
    from companion.maintenance.exports.export import export

    with ui.progress("exporting files") as progress:
        doc = export(
            ws, directory, with_private=with_private, progress=progress
        )
    ui.result(doc, text(doc))
    return 0


def text(doc: Doc) -> Iterator[str]:
    """Yield the folder or file, and what it holds."""
    if "format" in doc:
        yield Title(f"exported to {doc['path']}")
        yield counts(doc["counts"])
        return
    yield Title(f"exported to {doc['directory']}")
    yield from exchanged(doc)
