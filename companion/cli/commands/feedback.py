"""`companion feedback`: say what you think of the last answer, or of a page."""

from collections.abc import Iterator

from companion.cli.errors import NOTHING_FOUND
from companion.cli.format import Doc, at, short, titled
from companion.cli.lines import Title
from companion.cli.output import Ui
from companion.cli.spec import READER, Argument, Command

SPEC = Command(
    help="Say whether the last answer was good or wrong.\n\n"
    "The verdict is about the last answer or search, about the one whose ID follows, or "
    "about a page. It counts for the pages you opened from that answer, else for all that "
    "it showed, the first one most. The next run records it, and a page that was useful "
    "fades later; no text changes. Without a verdict, lists what was shown lately.",
    argument=Argument(
        "verdict",
        "VERDICT [ID|TARGET]",
        "good or useful, bad or wrong; then an id or a page.",
        many=True,
    ),
    options=(READER,),
)


def run(ui: Ui, *, verdict: list[str], agent: str | None) -> int:
    """Record a verdict; without one, list what was shown lately, and return 1 if nothing was."""
    from companion.usage.feedback import list_queries, record_feedback
    from companion.workspace import open_workspace

    ws = open_workspace(ui.wiki, agent)
    if verdict:
        word, *target = verdict
        doc = record_feedback(ws, word, " ".join(target) or None)
        ui.result(doc, text(doc))
        if word.lower() == "wrong":
            ui.hint("Capture what is right instead: `companion ingest TEXT`.")
        return 0
    shown = list_queries(ws)
    ui.result(shown, text(shown))
    if not shown["queries"]:
        ui.hint("Nothing was asked or searched yet.")
        return NOTHING_FOUND
    ui.hint(
        "`companion feedback good|bad ID` says what you think of one; without ID, of the last."
    )
    return 0


def text(doc: Doc) -> Iterator[str]:
    """Yield the verdict and the pages it counts for, or what was shown lately."""
    if "queries" in doc:
        for query in doc["queries"]:
            yield from _query(query)
        return
    about = "the page"
    if doc["query"]:
        about = f"{_words(doc['query'])}  {short(doc['query']['id'])}"
    yield Title(f"{doc['outcome']}: {about}")
    for entry in doc["entries"]:
        yield f"  {titled(entry)}"
    if not doc["entries"]:
        yield "  It showed no page, so this counts for none."


_SHOWN = 5


def _query(query: Doc) -> Iterator[str]:
    outcome = f"  ({query['outcome']})" if query["outcome"] else ""
    asked = f"{at(query['at'])}  {_words(query)}"
    yield Title(f"{short(query['id'])}  {asked}{outcome}")
    names = [titled(entry) for entry in query["entries"]]
    shown = ", ".join(names[:_SHOWN])
    if len(names) > _SHOWN:
        shown += f", … and {len(names) - _SHOWN} more"
    yield f"  {shown or 'nothing was shown'}"


def _words(query: Doc) -> str:
    return f"{query['verb']} {query['words']}".rstrip()
