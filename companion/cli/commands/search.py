"""`companion search`: find pages and pending captures."""

from collections.abc import Iterator

from companion.cli.entry_text import shift
from companion.cli.errors import NOTHING_FOUND
from companion.cli.format import Doc, short, state_of, titled, when
from companion.cli.lines import Aside, Passage, Title
from companion.cli.output import Ui
from companion.cli.spec import EXPLAIN, LIMIT, READER, Argument, Command, Option

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
        EXPLAIN,
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
    explain: bool,
    agent: str | None,
) -> int:
    """Print the pages and notes that have these words; return 1 if there is none."""
    from companion.lookup.search import search_wiki
    from companion.usage.record_read import record_search
    from companion.workspace import open_workspace

    ws = open_workspace(ui.wiki, agent)
    doc = search_wiki(ws, " ".join(query), limit=limit, state=state)
    ui.result(doc, text(doc, explain=explain))
    ui.hint_unrecorded(record_search(ws, doc))
    if doc["results"]:
        return 0
    ui.hint(f"No page or note has these words: {doc['query']}")
    return NOTHING_FOUND


def text(doc: Doc, *, explain: bool = False) -> Iterator[str]:
    """Yield each result: its title, where it lies, and the passage that was found.

    With *explain* also what its score is the sum of.
    """
    for page in doc["called"]:
        yield f"you call it {page['term']}: {page['title']}"
    for number, result in enumerate(doc["results"]):
        if number:
            yield ""
        yield from _result(result, doc["query"])
        if explain:
            yield Aside(f"  {_explain_score(result)}")


def _explain_score(result: Doc) -> str:
    """Return the parts of a score: "8.21 = words 5.01 + beside 3.20"."""
    parts = result["parts"].items()
    terms = " + ".join(f"{name} {worth:.2f}" for name, worth in parts)
    return f"{result['score']:.2f} = {terms}" if terms else "score 0"


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
        yield Aside(f"  {when(result['when'])}{lost} · {result['link']}")
