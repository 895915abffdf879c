"""Search and ask all shards at once, from the one place where they are projected.

The claims around a question become an index in memory, shard by shard, and are read by the same
rules as in the shard itself: what a shard would answer, it answers here, with the age of its tip.
"""

import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.answers.asked import read_asked
from companion.answers.claims import answer_from
from companion.lookup.excerpts import cut_snippet
from companion.storage.index.tables.pages.entries import find_page
from companion.storage.index.terms import split_words
from companion.storage.postgres import lookup, tables
from companion.storage.postgres.connect import (
    Connection,
    NotProjected,
    connect,
)
from companion.storage.postgres.lookup import FoundText
from companion.storage.postgres.tables import Tip
from companion.values.time import parse_instant

if TYPE_CHECKING:
    from companion.answers.results import AnswerResult
    from companion.fleet.results import (
        FleetAnswer,
        FleetAnswers,
        FleetHit,
        FleetHits,
        ShardTip,
    )

_LONGEST = 6  # words of one name


def search_shards(database: str, query: str, limit: int) -> "FleetHits":
    """Return the best passages of all shards in *database*, each with its shard and how old.

    Raises NotProjected, PostgresDown and its like.
    """
    query = query.encode("utf-8", "replace").decode()
    with connect(database) as pg:
        tips = _read_tips(pg)
        found = lookup.find_texts(pg, query, limit)
    words = split_words(query)
    hits = [_describe_hit(one, tips[one.shard], words) for one in found]
    return {"query": query, "shards": len(tips), "hits": hits}


def ask_shards(
    database: str, question: str, *, as_of: str | None, now: str
) -> "FleetAnswers":
    """Return what each shard that knows of the question's names answers, the best first.

    Raises as `search_shards`, and BadTime.
    """
    at = parse_instant(as_of) if as_of else None
    answers: list[FleetAnswer] = []
    with connect(database) as pg:
        tips = _read_tips(pg)
        names = _list_names(question)
        asked = lookup.list_shards_that_know(pg, names)
        for shard in asked:
            answers += _ask(pg, tips[shard], question, names, at, now)
    answers.sort(key=_rank)
    return {
        "question": question,
        "as_of": at,
        "known": bool(answers),
        "shards": len(tips),
        "asked": len(asked),
        "told": answers,
    }


def _read_tips(pg: Connection) -> dict[str, Tip]:
    tips = {one.shard: one for one in tables.list_tips(pg)}
    if not tips:
        raise NotProjected
    return tips


def _list_names(question: str) -> list[str]:
    """Return every run of words that may be a name."""
    words = split_words(question)
    names: dict[str, None] = {"me": None}
    for start in range(len(words)):
        for end in range(start + 1, min(len(words), start + _LONGEST) + 1):
            names[" ".join(words[start:end])] = None
    return list(names)


def _ask(
    pg: Connection,
    tip: Tip,
    question: str,
    names: Sequence[str],
    at: str | None,
    now: str,
) -> "list[FleetAnswer]":
    db = lookup.load_around(pg, tip.shard, names)

    def read(path: str, _: str) -> bytes:
        """Return the words of a page of this shard."""
        return lookup.read_page_text(pg, tip.shard, path).encode()

    try:
        asked = read_asked(db, question)
        found = answer_from(db, asked, at=at, now=now, read=read)
        links = {one: _find_path(db, one) for one in _list_entries(found)}
    finally:
        db.close()
    return [
        {"from": describe_tip(tip), "answer": one, "pages": links}
        for one in found
    ]


def _list_entries(answers: Sequence["AnswerResult"]) -> set[str]:
    entries: set[str] = set()
    for answer in answers:
        for step in answer["path"]:
            entries.update(one["entry"] or "" for one in step["sources"])
    return entries - {""}


def _find_path(db: sqlite3.Connection, entry: str) -> str | None:
    row = find_page(db, entry)
    return None if row is None else row.path


def _rank(answer: "FleetAnswer") -> tuple[float, str, str]:
    one = answer["answer"]
    return -one["score"], answer["from"]["shard"], one["value"]


def describe_tip(tip: Tip) -> "ShardTip":
    """Return which state of which shard something is of."""
    return {
        "shard": tip.shard,
        "tree": tip.tree,
        "run": tip.run,
        "at": tip.at,
        "taken": tip.taken,
    }


def _describe_hit(one: FoundText, tip: Tip, words: Sequence[str]) -> "FleetHit":
    return {
        "from": describe_tip(tip),
        "id": one.entry,
        "title": one.title,
        "path": one.path,
        "statement": one.statement or None,
        "state": one.state,
        "lost": bool(one.earlier),
        "score": one.score,
        "snippet": cut_snippet(one.words, words, one.title),
    }
