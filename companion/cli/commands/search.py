"""`companion search`: find pages and pending captures."""

from collections.abc import Iterator, Sequence

from companion.cli.entry_text import shift
from companion.cli.errors import NOTHING_FOUND
from companion.cli.format import Doc, short, state_of, titled, when
from companion.cli.lines import Found, Row
from companion.cli.output import Ui
from companion.cli.spec import (
    EXPLAIN,
    FLEET,
    LIMIT,
    READER,
    Argument,
    Command,
    Option,
)

SPEC = Command(
    help="Find pages and pending notes by their words.\n\n"
    "Words in quotation marks stand together; gard* is any word that begins so; a - before a word "
    "leaves out what has it; OR wants one of two. tag:, type:, state:, since:, before:, source:, "
    "agent: and in: narrow the search: since:yesterday, in:projects.",
    argument=Argument(
        "query",
        "QUERY",
        "Words to look for.",
        many=True,
        required=True,
        minus=True,
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
        FLEET,
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
    fleet: str | None,
) -> int:
    """Print the pages and notes that have these words; return 1 if there is none."""
    if fleet is not None:
        from companion.cli.fleet_text import search_all

        return search_all(ui, " ".join(query), limit, fleet)
    from companion.lookup.search import search_wiki
    from companion.usage.record_read import record_search
    from companion.workspace import open_workspace

    ws = open_workspace(ui.wiki, agent)
    doc = search_wiki(ws, " ".join(query), limit=limit, state=state)
    ui.result(doc, text(doc, explain=explain))
    ui.hint_unrecorded(record_search(ws, doc))
    for part in doc["not_understood"]:
        ui.hint(f"“{part['text']}” was not understood: {part['why']}.")
    if doc["results"]:
        return 0
    ui.hint(f"No page or note has these words: {doc['query']}")
    return NOTHING_FOUND


def text(doc: Doc, *, explain: bool = False) -> Iterator[str]:
    """Yield each result on a line: its title, the passage that was found, its day and its place.

    With *explain* also a table of what each score is the sum of.
    """
    for page in doc["called"]:
        yield f"you call it {page['term']}: {page['title']}"
    yield from _said(doc)
    words = doc["words"]
    for result in doc["results"]:
        yield _result(result, words)
        yield from shift(result)
    if explain and doc["results"]:
        yield ""
        yield from _explain_scores(doc["results"])


def _said(doc: Doc) -> Iterator[str]:
    """Yield what was looked for instead, where nothing had the words as they were typed."""
    for one in doc["corrected"]:
        yield f"Nothing has “{one['word']}”; this has “{one['instead']}”:"
    if doc["loosened"]:
        yield "Nothing has these words together; this has them apart:"


def _result(result: Doc, words: Sequence[str]) -> str:
    quarantined = "  (quarantined)" if result["quarantined"] else ""
    title = titled(result) + state_of(result["state"]) + quarantined
    snippet = " ".join(result["snippet"].split())
    if snippet.rstrip(".") == result["title"]:
        snippet = ""
    place = result["link"] or result["path"] or short(result["id"])
    if result["statement"]:
        lost = " (no longer holds)" if result["lost"] else ""
        place = f"{when(result['when'])}{lost} · {place}"
    return Found.make(title, snippet, place, words)


def _explain_scores(results: Sequence[Doc]) -> Iterator[str]:
    """Yield a table of scores: a row for each result, a column for each part that any has."""
    names: dict[str, None] = {}
    for result in results:
        names.update(dict.fromkeys(result["parts"]))
    table = [["score", *names, "of"]]
    for number, result in enumerate(results, 1):
        worths = [result["parts"].get(name) for name in names]
        row = [f"{result['score']:.2f}", *map(_write_worth, worths)]
        table.append([*row, f"{number} {titled(result)}"])
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for *numbers, last in table:
        padded = map(str.rjust, numbers, widths)
        yield Row(*padded, last)


def _write_worth(worth: float | None) -> str:
    return "" if worth is None else f"{worth:.2f}"
