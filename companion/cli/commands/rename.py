"""`companion rename`: give pages the names that people link to."""

from collections.abc import Iterator

from companion.cli.errors import Usage
from companion.cli.format import Doc, ending, left_out, section
from companion.cli.output import Ui
from companion.cli.spec import DRY_RUN, Command, Option

SPEC = Command(
    help="Rename pages to their titles, so that editors find them.\n\n"
    "Obsidian resolves a link by file name only. Pages that companion named by a slug "
    "(`anna-weber.md`) get the name of their title (`Anna Weber.md`), in one commit that "
    "`undo` takes back. A page that is linked by its old name keeps it.",
    options=(
        Option(
            "to_titles",
            ("--to-titles",),
            "Rename every page that has the slug of its title.",
            kind="flag",
        ),
        DRY_RUN,
    ),
)


def run(ui: Ui, *, to_titles: bool, dry_run: bool) -> int:
    """Rename pages to their titles and print the new names. Raises Usage without --to-titles."""
    from companion.maintenance.rename import rename_to_titles
    from companion.workspace import open_workspace

    if not to_titles:
        raise Usage(
            "nothing says what to rename",
            hint="`companion rename --to-titles --dry-run` shows what would be renamed.",
        )
    with ui.progress("looking at the names of pages") as progress:
        doc = rename_to_titles(
            open_workspace(ui.wiki), dry_run=dry_run, progress=progress
        )
    ui.result(doc, text(doc))
    if dry_run:
        ui.hint_dry_run()
    elif doc["run"]:
        ui.hint(f"`companion undo {doc['run']}` takes this back.")
    return 0


def text(doc: Doc) -> Iterator[str]:
    """Yield the new name of each page, and the pages that keep theirs."""
    heading = "would be renamed" if doc["dry_run"] else "renamed"
    rows = [(item["from"], f"→ {item['path']}") for item in doc["renamed"]]
    yield from section(heading, rows)
    yield from left_out(doc)
    yield from ending(doc, "every page has the name of its title already")
