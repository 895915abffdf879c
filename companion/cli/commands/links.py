"""`companion links`: the links of one page, of all pages, or those that no editor follows."""

from collections.abc import Iterable, Iterator

from companion.cli.errors import Usage
from companion.cli.format import Doc, kind_of, section, short, titled
from companion.cli.lines import Title
from companion.cli.output import Ui
from companion.cli.spec import READER, TARGET, Command, Option

SPEC = Command(
    help="List what a page links to, what links to it, and what needs it.\n\n"
    "Alone, it lists the links of all pages, and why an editor does not follow some: "
    "Obsidian and zk find a page by its file name only; companion also by its title and "
    "aliases.",
    argument=TARGET._replace(required=False),
    options=(
        Option(
            "broken",
            ("--broken",),
            "Only links that no editor follows, each with the reason.",
            kind="flag",
        ),
        READER,
    ),
)


def run(ui: Ui, *, target: list[str], broken: bool, agent: str | None) -> int:
    """Print the links of a page; without one those of all pages, and return 1 if there are none.

    Raises Usage if a page and *broken* are given.
    """
    from companion.workspace import open_workspace

    if target and broken:
        raise Usage(
            "--broken is for all pages",
            hint="Leave the page out; the list names the page of each link.",
        )
    ws = open_workspace(ui.wiki, agent)
    if target:
        from companion.reading.overview.links_of_page import list_links_of_page

        of_page = list_links_of_page(ws, " ".join(target))
        ui.result(of_page, page_text(of_page))
        return 0
    from companion.reading.links import list_links

    doc = list_links(ws, broken=broken)
    ui.result(doc, text(doc, broken=broken))
    return 0 if doc["links"] else 1


def text(doc: Doc, *, broken: bool = False) -> Iterator[str]:
    """Yield each link with the page that it leads to, or why it leads nowhere."""
    rows = []
    for link in doc["links"]:
        reason = link["problem"] or f"→ {link['path']}"
        rows.append((f"[[{link['target']}]] in {link['page']}", reason))
    yield from section("broken links" if broken else "links", rows)
    if not rows:
        yield "no link is broken" if broken else "no page has a link"


def _pages(pages: Iterable[Doc]) -> list[tuple[str, str]]:
    return [(titled(page), page["path"] or "waits") for page in pages]


def page_text(doc: Doc) -> Iterator[str]:
    """Yield the links of one page: direct ones first, then what else needs it."""
    yield Title(f"{titled(doc['page'])}  {doc['page']['path']}")
    out = _pages(doc["out"])
    out += [(f"[[{name}]]", "no page") for name in doc["unresolved"]]
    yield from section("links to", out)
    named = _pages(doc["names"])
    yield from section("names, without a link", named)
    linked = _pages(doc["in"])
    yield from section("linked from", linked)
    mentions = [
        (mention["words"], titled(mention["page"]))
        for mention in doc["mentions"]
    ]
    yield from section("mentioned by notes elsewhere", mentions)
    rests = [(_name(one), _how(one)) for one in doc["rests"]]
    yield from section("rests on it, without a link", rests)
    if doc["beyond"]:
        yield "  … and more, too far away to be listed"
    if not (out or named or linked or mentions or rests):
        yield "nothing links here, and it links to nothing"


def _name(dependent: Doc) -> str:
    if dependent["kind"] == "entry":
        return titled(dependent)
    return (
        f"{kind_of(dependent)} {titled(dependent)} ({short(dependent['id'])})"
    )


def _how(dependent: Doc) -> str:
    """Return why something rests on the page, and over what."""
    between = [titled(step) for step in dependent["path"][:-1]]
    how = dependent["path"][-1]["how"] if dependent["path"] else ""
    if between:
        return f"{how}, over {', '.join(between)}"
    return str(how)
