"""`companion feedback`: say what you think of the last answer, or of an entry."""

from collections.abc import Iterator

from companion.cli.errors import NOTHING_FOUND
from companion.cli.format import Doc, short, when
from companion.cli.options import READER
from companion.cli.output import Title, Ui
from companion.cli.spec import Argument, Command

SPEC = Command(
    help="Say what you think of the last answer, or of an entry.\n\n"
    "Of the last answer or search, of the one whose ID follows, or of an entry. It goes to what you opened from "
    "it, else to all that was shown, the first place first. With no verdict, lists what was shown lately. No text "
    "is touched: the next run takes it on record, and it weighs in what fades.",
    argument=Argument(
        "verdict",
        "VERDICT [ID|TARGET]",
        "good or useful, bad or wrong; and of what.",
        many=True,
    ),
    options=(READER,),
)


def run(ui: Ui, *, verdict: list[str], agent: str | None) -> int:
    from companion.usage.feedback import list_queries, record_feedback
    from companion.workspace import open_workspace

    ws = open_workspace(ui.wiki, agent)
    if verdict:
        said, *target = verdict
        doc = record_feedback(ws, said, " ".join(target) or None)
        ui.result(doc, text(doc))
        if said.lower() == "wrong":
            ui.hint("what is so instead is worth a note: `companion ingest`.")
        return 0
    listed = list_queries(ws)
    ui.result(listed, text(listed))
    if not listed["queries"]:
        ui.hint("nothing was asked or searched yet.")
        return NOTHING_FOUND
    ui.hint(
        "`companion feedback good|bad ID` says what you think of one, without ID of the last."
    )
    return 0


def text(doc: Doc) -> Iterator[str]:
    if "queries" in doc:
        for query in doc["queries"]:
            yield from _listed(query)
        return
    about = (
        f"{_asked(doc['query'])}  {short(doc['query']['id'])}"
        if doc["query"]
        else "the entry"
    )
    yield Title(f"{doc['outcome']}: {about}")
    yield from (f"  {_name(each)}" for each in doc["entries"])
    if not doc["entries"]:
        yield "  it showed nothing, so no entry gains or loses by it"


_SHOWN = 5


def _listed(query: Doc) -> Iterator[str]:
    said = f"  ({query['outcome']})" if query["outcome"] else ""
    yield Title(
        f"{short(query['id'])}  {when(query['at'])}  {_asked(query)}{said}"
    )
    names = [_name(each) for each in query["entries"]]
    more = f", … and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    yield "  " + (", ".join(names[:_SHOWN]) + more or "nothing was shown")


def _asked(query: Doc) -> str:
    return f"{query['verb']} {query['words']}".rstrip()


def _name(entry: Doc) -> str:
    return entry["title"] or short(entry["id"])
