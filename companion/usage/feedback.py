"""Record a reader's opinion on an answer, a search or an entry, as evidence for the next run (MaM
§5.3).

Feedback changes no page and decides nothing. It is on disk when `record_feedback` returns, unlike
the reads that it is about.
"""

import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from companion.errors import BadInput, CompanionError
from companion.lookup.find import Ambiguous, NothingFound, Target, find_target
from companion.lookup.index import current_index
from companion.storage.index.tables import use as use_table
from companion.storage.index.tables.captures import find_entry_of_capture
from companion.storage.index.tables.pages.entries import find_entry
from companion.storage.journal import reads
from companion.storage.journal.journal import Journal
from companion.storage.journal.reads import Use
from companion.usage.attribution import FEEDBACK, QUERIES
from companion.usage.record_read import collect_reads
from companion.usage.utility import OUTCOMES
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.usage.results import (
        FeedbackWord,
        ListedQuery,
        Opinion,
        QueryList,
        QueryResult,
        QueryVerb,
        RecordedFeedback,
        ShownEntry,
    )

# newest reads of one reader among which a query is looked for
READS_BACK = 1000
_MOST_LISTED = 20
_LEAST_ID_LENGTH = 4  # characters


class NothingAsked(CompanionError):
    """Nothing was asked or searched here yet, so there is nothing to judge."""

    exit_code = 1
    hint = (
        "Name what you mean: `companion feedback good ENTRY`. "
        "Reads by --agent are that assistant's own."
    )


class NoVerdict(BadInput):
    """This word is no opinion on an answer."""

    hint = (
        "Say good, useful, bad or wrong; "
        "add a query id or an entry unless you mean the last answer."
    )


class NotInTheWiki(BadInput):
    """This note is not in the wiki yet; feedback needs an entry."""

    hint = (
        "Give feedback on the search that found it (`companion feedback` lists those), "
        "or wait until the next night."
    )


def list_queries(ws: Workspace) -> "QueryList":
    """Return the reader's latest queries, the newest first, each once, with the outcome stated.

    Raises DamagedRef or IndexDamaged.
    """
    journal, db = _open(ws)
    uses = reads.list_reads_of_agent(journal, ws.who, READS_BACK)
    outcomes = _list_outcomes(uses)
    newest: dict[tuple[str, str], Use] = {}
    for use in uses:
        if use.verb in QUERIES:
            newest.setdefault((use.verb, use.words), use)
    listed: list[ListedQuery] = [
        {
            **_describe_query(use),
            "outcome": outcomes.get(question),
            "entries": _describe_entries(db, use),
        }
        for question, use in list(newest.items())[:_MOST_LISTED]
    ]
    return {"queries": listed}


def _list_outcomes(uses: Sequence[Use]) -> "dict[tuple[str, str], Opinion]":
    """Return the last outcome stated on each question, by its verb and words.

    *uses* come newest first, so that an opinion comes before the query it is about.
    """
    outcomes: dict[tuple[str, str], Opinion] = {}
    outcome_of_use: dict[str, Opinion] = {}
    for use in uses:
        if use.verb == FEEDBACK and use.about is not None:
            outcome_of_use.setdefault(use.about, OUTCOMES[use.words])
        elif use.verb in QUERIES and use.id in outcome_of_use:
            question = (use.verb, use.words)
            outcomes.setdefault(question, outcome_of_use[use.id])
    return outcomes


def record_feedback(
    ws: Workspace, said: str, target: str | None
) -> "RecordedFeedback":
    """Record the opinion *said* on *target*, the id of a query or an entry; None: the last answer.

    Raises NoVerdict, NothingAsked, NothingFound, Ambiguous or NotInTheWiki with nothing recorded.
    """
    word = said.strip().lower()
    if word not in OUTCOMES:
        raise NoVerdict(f"{said!r} is not something to say of an answer")
    journal, db = _open(ws)
    about = _find_use(ws, db, journal, target)
    id = ws.fresh_id(
        word, about.id, *about.shown, str(reads.count_reads(journal))
    )
    use = Use(
        id, ws.now(), ws.who, FEEDBACK, word, about.shown, about.id or None
    )
    journal.begin()
    reads.insert(journal, [use])
    journal.commit()
    return {
        "said": cast("FeedbackWord", word),
        "outcome": OUTCOMES[word],
        "query": _describe_query(about) if about.id else None,
        "entries": _describe_entries(db, about),
    }


def _open(ws: Workspace) -> tuple[Journal, sqlite3.Connection | None]:
    journal = ws.journal()
    collect_reads(ws, journal)
    return journal, current_index(ws, journal)


def _list_own_queries(ws: Workspace, journal: Journal) -> list[Use]:
    """Return the reader's own queries in the journal, the newest first."""
    uses = reads.list_reads_of_agent(journal, ws.who, READS_BACK)
    return [use for use in uses if use.verb in QUERIES]


def _find_last_query(ws: Workspace, journal: Journal) -> Use:
    """Return the reader's last query. Raises NothingAsked."""
    queries = _list_own_queries(ws, journal)
    if not queries:
        raise NothingAsked
    return queries[0]


def _find_use(
    ws: Workspace,
    db: sqlite3.Connection | None,
    journal: Journal,
    target: str | None,
) -> Use:
    """Return the query that *target* names, else a use without an id that shows the entry.

    None names the last query. Raises NothingAsked, NothingFound, Ambiguous or NotInTheWiki.
    """
    if target is None:
        return _find_last_query(ws, journal)
    queries = _find_queries(ws, db, journal, target)
    candidates = [f"query {query.id}" for query in queries[:4]]
    try:
        found = find_target(ws, db, journal, target)
    except NothingFound:
        if not queries:
            raise
        found = None
    if found is not None and not queries:
        return _use_of_entry(ws, db, found)
    if found is not None:
        candidates.append(f"{found.kind} {found.id}")
    if len(candidates) > 1:
        hint = "One of: " + ", ".join(candidates)
        raise Ambiguous(f"{target!r} names more than one thing", hint=hint)
    return queries[0]


def _use_of_entry(
    ws: Workspace, db: sqlite3.Connection | None, target: Target
) -> Use:
    """Return a use without an id that shows the entry *target*, or the entry of a capture.

    Raises NotInTheWiki for a capture that waits.
    """
    entry: str | None = target.id
    if target.kind != "entry":
        entry = None if db is None else find_entry_of_capture(db, target.id)
    if entry is None:
        raise NotInTheWiki
    return Use("", ws.now(), ws.who, "", "", (entry,))


def _find_queries(
    ws: Workspace, db: sqlite3.Connection | None, journal: Journal, target: str
) -> Sequence[Use]:
    """Return the reader's own queries, also those on record, whose id begins with *target*."""
    prefix = target.strip().lower()
    if len(prefix) < _LEAST_ID_LENGTH or not set(prefix) <= set(
        "0123456789abcdef"
    ):
        return []
    queries = {use.id: use for use in _list_own_queries(ws, journal)}
    recorded = [] if db is None else use_table.list_queries(db)
    for query in recorded:
        if query.agent == ws.who:
            use = Use(
                query.id, query.at, ws.who, query.verb, query.words, query.shown
            )
            queries.setdefault(query.id, use)
    return [use for id, use in queries.items() if id.startswith(prefix)]


def _describe_query(use: Use) -> "QueryResult":
    return {
        "id": use.id,
        "at": use.at,
        "verb": cast("QueryVerb", use.verb),
        "words": use.words,
    }


def _describe_entries(
    db: sqlite3.Connection | None, use: Use
) -> "list[ShownEntry]":
    """Return the entries that *use* showed, each once; a capture gives the entry it went into."""
    titles = dict(_find_title(db, id) for id in use.shown)
    return [{"id": id, "title": title} for id, title in titles.items()]


def _find_title(
    db: sqlite3.Connection | None, id: str
) -> tuple[str, str | None]:
    if db is None:
        return id, None
    row = find_entry(db, id) or find_entry(db, find_entry_of_capture(db, id))
    if row is None:
        return id, None
    return row.id, row.title
