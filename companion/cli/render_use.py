"""What `feedback` says to a person."""

from collections.abc import Iterator

from companion.cli.format import Doc, short, when
from companion.cli.output import Title

_SHOWN = 5


def feedback(doc: Doc) -> Iterator[str]:
    if "queries" in doc:
        for query in doc["queries"]:
            yield from _listed(query)
        return
    about = f"{_asked(doc['query'])}  {short(doc['query']['id'])}" if doc["query"] else "the entry"
    yield Title(f"{doc['outcome']}: {about}")
    yield from (f"  {_name(each)}" for each in doc["entries"])
    if not doc["entries"]:
        yield "  it showed nothing, so no entry gains or loses by it"


def _listed(query: Doc) -> Iterator[str]:
    said = f"  ({query['outcome']})" if query["outcome"] else ""
    yield Title(f"{short(query['id'])}  {when(query['at'])}  {_asked(query)}{said}")
    names = [_name(each) for each in query["entries"]]
    more = f", … and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    yield "  " + (", ".join(names[:_SHOWN]) + more or "nothing was shown")


def _asked(query: Doc) -> str:
    return f"{query['verb']} {query['words']}".rstrip()


def _name(entry: Doc) -> str:
    return entry["title"] or short(entry["id"])
