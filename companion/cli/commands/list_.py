"""`companion list`: pages and waiting notes, those that changed last first."""

from collections.abc import Iterator, Mapping
from string import Formatter

from companion.cli.errors import NOTHING_FOUND, Usage
from companion.cli.format import Doc, at, short
from companion.cli.lines import Row
from companion.cli.output import Ui
from companion.cli.spec import LIMIT, READER, Command, Option

SPEC = Command(
    help="List pages and waiting notes, those that changed last first.\n\n"
    "The filters narrow each other. --format prints a line of your own for each, made of "
    "{id}, {title}, {path}, {state}, {created}, {changed}, {tags} and {link}; \\t is a tab.",
    options=(
        Option(
            "tag",
            ("--tag", "-t"),
            "Only what has this tag or one below it; several with commas.",
            metavar="TAG",
        ),
        Option(
            "state",
            ("--state",),
            "Only what is in this state.",
            "choice",
            choices=("pending", "active", "decaying", "archived"),
        ),
        Option(
            "since",
            ("--since",),
            "Only what changed since: 2026-03-01, or last friday.",
            metavar="TIME",
        ),
        Option(
            "before",
            ("--before",),
            "Only what changed last before this time.",
            metavar="TIME",
        ),
        Option(
            "orphan",
            ("--orphan",),
            "Only pages without a link from or to another page.",
            "flag",
            False,
        ),
        Option(
            "linked_to",
            ("--linked-to",),
            "Only pages with a link to this page.",
            metavar="PAGE",
        ),
        Option("limit", LIMIT, "At most this many.", "count", 20, metavar="N"),
        Option(
            "format",
            ("--format",),
            "Print each like this, e.g. '{path}' or '{changed}\\t{title}'.",
            metavar="LINE",
        ),
        READER,
    ),
    hot=True,
)

FIELDS = (
    "id",
    "title",
    "path",
    "state",
    "created",
    "changed",
    "tags",
    "link",
)


def run(
    ui: Ui,
    *,
    tag: str | None,
    state: str | None,
    since: str | None,
    before: str | None,
    orphan: bool,
    linked_to: str | None,
    limit: int,
    format: str | None,
    agent: str | None,
) -> int:
    """Print the pages and notes; return 1 if there is none. Raises Usage for a bad format."""
    from companion.reading.overview.list_pages import (
        Asked,
        find_links,
        list_pages,
    )
    from companion.workspace import open_workspace

    line = None if format is None else read_format(format)
    tags = tuple(filter(None, (tag or "").replace(",", " ").split()))
    asked = Asked(tags, state, since, before, orphan, linked_to)
    ws = open_workspace(ui.wiki, agent)
    doc = list_pages(ws, asked, limit=limit)
    links = find_links(ws, doc) if line and "{link}" in line else {}
    ui.result(doc, text(doc, line=line, links=links))
    if not doc["items"]:
        ui.hint("Nothing here is like that.")
        return NOTHING_FOUND
    if doc["more"] and line is None:
        ui.hint(f"There are more: `-n {limit * 5}` lists them.")
    return 0


def text(
    doc: Doc, *, line: str | None = None, links: Mapping[str, str] | None = None
) -> Iterator[str]:
    """Yield a line for each page and note: by *line*, or when it changed, its name and place.

    *links* has the link to each page by its path.
    """
    for item in doc["items"]:
        if line is None:
            yield _row(item)
        else:
            yield line.format_map(_fields(item, links or {}))


def read_format(line: str) -> str:
    """Return *line* with its tabs. Raises Usage for a field that no page has."""
    line = line.replace("\\t", "\t")
    try:
        parts = list(Formatter().parse(line))
    except ValueError as error:
        raise Usage(
            f"--format cannot be read: {error}",
            hint="A brace by itself is written twice: {{ or }}.",
        ) from error
    for _, name, width, conversion in parts:
        if name is None:
            continue
        if name not in FIELDS or width or conversion:
            raise Usage(
                f"--format knows no field {{{name}}}",
                hint="Its fields are "
                + ", ".join(f"{{{each}}}" for each in FIELDS),
            )
    return line


def _row(item: Doc) -> str:
    place = item["path"] or f"waits · {short(item['id'])}"
    state = "" if item["state"] in ("active", "pending") else item["state"]
    tags = " ".join(f"#{tag}" for tag in item["tags"])
    parts = (item["title"], state, place, tags)
    return Row(
        at(item["changed"]),
        " · ".join(part for part in parts if part),
        widths=(16,),
    )


def _fields(item: Doc, links: Mapping[str, str]) -> dict[str, str]:
    path = item["path"] or ""
    return {
        "id": item["id"],
        "title": item["title"],
        "path": path,
        "state": item["state"],
        "created": at(item["created"]),
        "changed": at(item["changed"]),
        "tags": " ".join(f"#{tag}" for tag in item["tags"]),
        "link": links.get(path, ""),
    }
