"""`feedback`: what somebody says of an answer, a search or an entry, kept as evidence for the next
run (MaM §5.3).

It touches no text and decides nothing. It is durable when it says so, unlike the reads that it is
about.
"""

import sqlite3
from collections.abc import Sequence
from typing import Any

from companion.errors import BadInput, CompanionError
from companion.lookup.find import Ambiguous, NothingFound, find_target
from companion.lookup.index import current_index
from companion.storage.index.tables import use as usage
from companion.storage.index.tables.captures import find_entry_of_capture
from companion.storage.index.tables.entries import find_entry
from companion.storage.journal import reads as taken
from companion.storage.journal.journal import Journal
from companion.storage.journal.reads import Use
from companion.usage import attribution, record_read, utility
from companion.workspace import Workspace

BACK = 1000  # reads of one reader that a query is looked for in
_LISTED = 20
_LEAST = 4  # characters of an id


class NothingAsked(CompanionError):
    """Nothing was asked or searched here yet, so there is nothing to judge."""

    exit_code = 1
    hint = "Name what you mean: `companion feedback good ENTRY`. Reads by --agent are that assistant's own."


class NoVerdict(BadInput):
    """That is not something to say of an answer."""

    hint = "Say good or useful, bad or wrong; after it, where you do not mean the last answer, which one."


class NotInTheWiki(BadInput):
    """This note is no part of the wiki yet, and outcomes belong to entries."""

    hint = "Say it of the search that found it (`companion feedback` lists those), or after the next night."


def list_queries(ws: Workspace) -> dict[str, Any]:
    """Return what who asks was shown lately, the newest first: every query once, with what was said
    of it.
    """
    journal, db = _opened(ws)
    found: dict[tuple[str, str], tuple[Use, list[str]]] = {}
    said = dict[str, str]()
    for use in taken.of_agent(journal, ws.who, BACK):
        if use.verb == attribution.FEEDBACK and use.about is not None:
            said.setdefault(use.about, utility.OUTCOMES[use.words])
        elif use.verb in attribution.QUERIES:
            known = found.setdefault((use.verb, use.words), (use, []))
            known[1].extend(filter(None, [said.get(use.id)]))
    shown = list(found.values())[:_LISTED]
    listed = [
        {**_query(use), "outcome": next(iter(of), None), "entries": _named(db, use)}
        for use, of in shown
    ]
    return {"queries": listed}


def record_feedback(ws: Workspace, said: str, target: str | None) -> dict[str, Any]:
    """Record that *said* is what somebody thinks of *target*: a query's id or an entry; None: of
    the last answer.

    Raises NoVerdict, NothingAsked, NothingFound, Ambiguous or NotInTheWiki with nothing recorded.
    """
    word = said.strip().lower()
    if word not in utility.OUTCOMES:
        raise NoVerdict(f"{said!r} is not something to say of an answer")
    journal, db = _opened(ws)
    about = _last(journal, ws) if target is None else _meant(ws, db, journal, target)
    id = ws.fresh_id(word, about.id, *about.shown, str(taken.count(journal)))
    use = Use(id, ws.now(), ws.who, attribution.FEEDBACK, word, about.shown, about.id or None)
    journal.begin()
    taken.insert(journal, [use])
    journal.commit()
    query = _query(about) if about.id else None
    return {
        "said": word,
        "outcome": utility.OUTCOMES[word],
        "query": query,
        "entries": _named(db, about),
    }


def _opened(ws: Workspace) -> tuple[Journal, sqlite3.Connection | None]:
    journal = ws.journal()
    record_read.collect_reads(ws, journal)
    return journal, current_index(ws, journal)


def _last(journal: Journal, ws: Workspace) -> Use:
    asked = (
        use for use in taken.of_agent(journal, ws.who, BACK) if use.verb in attribution.QUERIES
    )
    found = next(asked, None)
    if found is None:
        raise NothingAsked
    return found


def _meant(ws: Workspace, db: sqlite3.Connection | None, journal: Journal, target: str) -> Use:
    """Return the query that *target* names, else the entry, as a use of its own without an id."""
    queries = _queries(ws, db, journal, target)
    try:
        kind, id = find_target(ws, db, journal, target)
    except NothingFound:
        if not queries:
            raise
        kind = id = ""
    if len(queries) + bool(kind) > 1:
        named = [*(f"query {each.id}" for each in queries[:4]), *([f"{kind} {id}"] if kind else [])]
        raise Ambiguous(f"{target!r} names more than one thing", hint="One of: " + ", ".join(named))
    if queries:
        return queries[0]
    entry = id if kind == "entry" else _went_into(db, id)
    if entry is None:
        raise NotInTheWiki
    return Use("", ws.now(), ws.who, "", "", (entry,))


def _queries(
    ws: Workspace, db: sqlite3.Connection | None, journal: Journal, target: str
) -> Sequence[Use]:
    """Return the queries of who asks whose id begins with *target*, those on record included:
    another's are none.
    """
    prefix = target.strip().lower()
    if len(prefix) < _LEAST or not set(prefix) <= set("0123456789abcdef"):
        return []
    here = {
        use.id: use
        for use in taken.of_agent(journal, ws.who, BACK)
        if use.verb in attribution.QUERIES
    }
    for query in [] if db is None else usage.queries(db):
        if query.agent == ws.who:
            here.setdefault(
                query.id, Use(query.id, query.at, ws.who, query.verb, query.words, query.shown)
            )
    return [use for id, use in here.items() if id.startswith(prefix)]


def _went_into(db: sqlite3.Connection | None, capture: str) -> str | None:
    return None if db is None else find_entry_of_capture(db, capture)


def _query(use: Use) -> dict[str, Any]:
    return {"id": use.id, "at": use.at, "verb": use.verb, "words": use.words}


def _named(db: sqlite3.Connection | None, use: Use) -> list[dict[str, Any]]:
    """Return what *use* showed, each once: of a capture the entry that it went into."""
    found = dict(_entry(db, id) for id in use.shown)
    return [{"id": id, "title": title} for id, title in found.items()]


def _entry(db: sqlite3.Connection | None, id: str) -> tuple[str, str | None]:
    if db is None:
        return id, None
    row = find_entry(db, id) or find_entry(db, find_entry_of_capture(db, id))
    return (id, None) if row is None else (row.id, row.title)
