"""`companion search`: find pages and pending captures."""

from collections.abc import Iterator

from companion.cli.entry_text import shift
from companion.cli.errors import NOTHING_FOUND
from companion.cli.format import Doc, short, state_of, titled
from companion.cli.lines import Aside, Passage, Title
from companion.cli.output import Ui
from companion.cli.spec import LIMIT, READER, Argument, Command, Option

SPEC = Command(
    help="Find pages and pending notes by their words.",
    argument=Argument(
        "query", "QUERY", "Words to look for.", many=True, required=True
    ),
    options=(
        Option(
            "limit",
            LIMIT,
            "At most this many results.",
            "count",
            default=10,
            metavar="N",
        ),
        Option(
            "state",
            ("--state",),
            "Only results in this state.",
            "choice",
            choices=("pending", "active", "decaying", "archived", "minority"),
        ),
        READER,
    ),
    hot=True,
)


def run(
    ui: Ui,
    *,
    query: list[str],
    limit: int,
    state: str | None,
    agent: str | None,
) -> int:
    """Print the pages and notes that have these words; return 1 if there is none."""
    from companion.lookup.search import search_wiki
    from companion.usage.record_read import record_search
    from companion.workspace import open_workspace

    ws = open_workspace(ui.wiki, agent)
    doc = search_wiki(ws, " ".join(query), limit=limit, state=state)
    ui.result(doc, text(doc))
    ui.hint_unrecorded(record_search(ws, doc))
    if doc["results"]:
        return 0
    ui.hint(f"No page or note has these words: {doc['query']}")
    return NOTHING_FOUND


def text(doc: Doc) -> Iterator[str]:
    """Yield each result: its title, where it lies, and the passage that was found."""
    for page in doc["called"]:
        yield f"you call it {page['term']}: {page['title']}"
    for number, result in enumerate(doc["results"]):
        if number:
            yield ""
        yield from _result(result, doc["query"])


def _result(result: Doc, query: str) -> Iterator[str]:
    quarantined = "  (quarantined)" if result["quarantined"] else ""
    yield Title(titled(result) + state_of(result["state"]) + quarantined)
    known = (result["path"], short(result["id"]))
    yield Aside("  " + " · ".join(part for part in known if part))
    yield from _statement(result)
    yield from shift(result)
    snippet = " ".join(result["snippet"].split())
    if snippet not in ("", result["title"]):
        yield Passage(f"  {snippet}", query.split())


def _statement(result: Doc) -> Iterator[str]:
    """Yield when the note was told that was found on a page of many, and how to link it."""
    if result["statement"]:
        lost = " (no longer holds)" if result["lost"] else ""
        yield Aside(f"  {result['when']}{lost} · {result['link']}")
