"""`search --fleet` and `ask --fleet`: what all shards have, each line with its shard and age."""

from collections.abc import Callable, Iterator

from companion.cli.errors import NOTHING_FOUND
from companion.cli.format import Doc, state_of, when
from companion.cli.lines import Found
from companion.cli.output import Ui
from companion.values.wording import many


def search_all(ui: Ui, query: str, limit: int, database: str) -> int:
    """Print what the shards in *database* have of *query*; return 1 if there is nothing."""
    from companion.fleet.together.ask import search_shards

    doc = search_shards(database, query, limit)
    ui.result(doc, search_text(doc))
    if doc["hits"]:
        return 0
    ui.hint(f"No page of {many(doc['shards'], 'shard')} has these words.")
    return NOTHING_FOUND


def ask_all(
    ui: Ui,
    question: str,
    as_of: str | None,
    database: str,
    tell: Callable[[Doc], Iterator[str]],
) -> int:
    """Print what the shards in *database* answer, each answer as *tell* says it; return 1 if none
    does.
    """
    from companion.fleet.together.ask import ask_shards
    from companion.values.time import format_instant
    from companion.workspace import fixed_now, real_now

    now = fixed_now() or format_instant(real_now())
    doc = ask_shards(database, question, as_of=as_of, now=now)
    ui.result(doc, ask_text(doc, tell))
    if doc["known"]:
        return 0
    ui.hint(
        "No shard answers this; `companion search --fleet` finds its words."
    )
    return NOTHING_FOUND


def search_text(doc: Doc) -> Iterator[str]:
    """Yield each passage with its shard, and how old that is."""
    words = doc["query"].split()
    for hit in doc["hits"]:
        lost = " (no longer holds)" if hit["lost"] else ""
        title = hit["title"] + state_of(hit["state"]) + lost
        place = f"{hit['path']} · {place_of(hit['from'])}"
        yield Found.make(title, hit["snippet"], place, words)


def ask_text(doc: Doc, tell: Callable[[Doc], Iterator[str]]) -> Iterator[str]:
    """Yield each answer as *tell* says it, with its shard, and how old that is."""
    if not doc["known"]:
        yield f"not known: {doc['question']}"
    for one in doc["told"]:
        yield from tell(one["answer"])
        yield f"  {place_of(one['from'])}"


def place_of(tip: Doc) -> str:
    """Return which shard something is of, and how old its state is."""
    at = f"as of {when(tip['at'])}" if tip["at"] else "before its first night"
    return f"{tip['shard']} {at}, tree {tip['tree'][:8]}"
