"""Find pages and pending captures by their words. On the hot path of a search."""

import os
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from companion.annotations import TYPE_CHECKING
from companion.lookup.excerpts import describe_hit, list_shown_words
from companion.lookup.index import (
    current_index,
    find_commit,
    newest_run,
    stale_warning,
)
from companion.lookup.query.wanted import read_wanted
from companion.lookup.shifts import describe_side
from companion.pages import links
from companion.storage.index.ranking.meaning import find_trouble
from companion.storage.index.ranking.nearby import QUESTION
from companion.storage.index.ranking.query import (
    Query,
    Statistics,
    add_words,
    narrow_telling,
    read_statistics,
)
from companion.storage.index.ranking.query import (
    read_query as read_stems,
)
from companion.storage.index.search.hits import (
    Hit,
    find_entry,
    keep_best_of_each_page,
    list_hits,
    put_named_first,
    rank,
)
from companion.storage.index.search.passages import (
    add_span,
    find_passages,
    find_tombstones,
)
from companion.storage.index.search.pending import find_pending, list_open
from companion.storage.index.search.waiting import place_waiting
from companion.storage.index.search.wanted import Request, Term
from companion.storage.index.tables import routing
from companion.storage.index.tables.captures import find_outcome
from companion.storage.index.tables.promotions import Side, list_sides
from companion.storage.journal.journal import Journal
from companion.tuples import NamedTuple
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.lookup.results import (
        Correction,
        SearchHit,
        SearchResult,
    )
    from companion.storage.results import (
        CalledEntry,
    )

# how often a search looks again because a night moved the index meanwhile
_ATTEMPTS = 3
# notes of one page that a search by pages looks at, on average
_NOTES = 5
# words of a query that a result's own are compared with
_SHOWN = 64


def search_wiki(
    ws: Workspace,
    query: str,
    *,
    limit: int = 10,
    state: str | None = None,
    one_of_each_page: bool = False,
    plain: bool = False,
) -> "SearchResult":
    """Return the passages and pending captures that *query* is about, the best first.

    `lookup.query` says how it is read; where it is *plain*, it is its words, as a question is. A
    page of many notes has a result for each note that fits, unless *one_of_each_page* is wanted. A
    page whose title or alias is the whole query comes first. With *state*, only those in it.
    """
    # A shell may hand over bytes that are no text.
    query = query.encode("utf-8", "replace").decode()
    journal = ws.journal()
    db = current_index(ws, journal)
    reading = read_wanted(ws, query, plain=plain)
    state = state or reading.request.find_state()
    # of a page of many notes only the best counts: others must not take the room
    wide = limit * _NOTES if one_of_each_page else limit
    look = partial(_look, ws, db, journal, limit=wide, state=state, plain=plain)
    found = _look_twice(ws, db, journal, look, reading.request, plain=plain)
    sides = list_sides(db, ws.now())
    hits = sorted(found.hits, key=rank)
    if one_of_each_page:
        hits = keep_best_of_each_page(hits)
    hits = _show_sides(db, hits[:limit], sides, found, state)
    document: SearchResult = {
        "query": query,
        "plain": found.request.is_plain and not found.corrected,
        "words": _split_as_typed(found.request.words)[:_SHOWN],
        "not_understood": reading.not_understood,
        "corrected": found.corrected,
        "loosened": found.loosened,
        "as_of": newest_run(db),
        "called": found.called,
        "results": _describe_hits(ws, db, hits, sides, found.asked),
    }
    warnings = (stale_warning(ws, db), _warn_of_vectors(db, found.asked))
    said = " ".join(filter(None, warnings))
    if said:
        document["warning"] = said
    return document


def _split_as_typed(text: str) -> list[str]:
    """Return the words of *text*, each of letters, digits and low lines."""
    signs = [sign if sign.isalnum() or sign == "_" else " " for sign in text]
    return "".join(signs).split()


class Passages(NamedTuple):
    """What is nearest to a question by its words."""

    hits: list[Hit]  # the best first
    words: list[str]  # that excerpts are cut around


def find_nearest(
    ws: Workspace,
    journal: Journal,
    db: sqlite3.Connection,
    question: str,
    limit: int,
    groups: tuple[tuple[Term, ...], ...] = (),
) -> Passages:
    """Return the passages and notes that wait that *question* is about, as `search_wiki` finds
    them; where *groups* are given, those that have one term at least of each.
    """
    question = question.encode("utf-8", "replace").decode()
    request = read_wanted(ws, question, plain=True).request
    request = request._replace(groups=groups or request.groups)
    found = _look(ws, db, journal, request, limit=limit, state=None, plain=True)
    hits = sorted(found.hits, key=rank)[:limit]
    sides = list_sides(db, ws.now())
    hits = _show_sides(db, hits, sides, found, None)
    return Passages(hits, list_shown_words(found.asked))


def _show_sides(
    db: sqlite3.Connection | None,
    hits: list[Hit],
    sides: Mapping[str, Side],
    found: "_Found",
    state: str | None,
) -> list[Hit]:
    """Return *hits*, of plain words each with the other side of its shift."""
    if db is None or state is not None or not sides:
        return hits
    if not found.request.is_plain:
        return hits
    return _add_other_sides(db, hits, sides)


class _Found(NamedTuple):
    """What was found, and for what."""

    hits: list[Hit]
    called: "list[CalledEntry]"
    asked: Query
    request: Request
    corrected: "list[Correction]"  # words that others stood for
    loosened: bool  # phrases were taken apart


def _look_twice(
    ws: Workspace,
    db: sqlite3.Connection | None,
    journal: Journal,
    look: Callable[[Request], _Found],
    request: Request,
    *,
    plain: bool,
) -> _Found:
    """Return what fits *request*; else what fits it with its words corrected."""
    found = look(request)
    if found.hits or plain or not request.words:
        return found
    # few queries find nothing
    from companion.lookup.query.correct import correct_words

    open_notes = list_open(journal.connection, ws.who)
    corrected = correct_words(db, request, found.asked.languages, open_notes)
    return _look_again(look, found, corrected)


def _look_again(
    look: Callable[[Request], _Found],
    nothing: _Found,
    corrected: "list[Correction]",
) -> _Found:
    """Look with the words *corrected*, then with phrases taken apart.

    *nothing* is what the first look gave.
    """
    from companion.lookup.query.correct import put_instead, take_apart

    found = nothing
    if corrected:
        found = look(put_instead(nothing.request, corrected))
    if found.hits:
        return found._replace(corrected=corrected)
    apart = take_apart(found.request)
    if apart != found.request:
        found = look(apart)
    if not found.hits:
        return nothing
    return found._replace(corrected=corrected, loosened=True)


def _look(
    ws: Workspace,
    db: sqlite3.Connection | None,
    journal: Journal,
    request: Request,
    *,
    limit: int,
    state: str | None,
    plain: bool,
) -> _Found:
    """Return what fits *request*, again where a night folded its pages in between."""
    title_key = links.title_key(request.words)
    as_of = find_commit(db)
    for _ in range(_ATTEMPTS + 1):
        asked = _ask(ws, db, journal, request)
        if db is not None and _is_compared(asked, plain=plain):
            asked = _measure_by_model(ws, db, request, asked)
        stats = read_statistics(db, asked.phrases)
        hits = _find_hits(
            ws, db, journal, request, asked, stats, title_key, limit, state
        )
        found_as_of = as_of
        as_of = find_commit(db)
        if as_of == found_as_of:
            break
    called: list[CalledEntry] = []
    if state in (None, "active") and request.is_plain:
        called = routing.list_mirrored(db, title_key)
    if db is not None:
        hits = put_named_first(db, hits, {one["entry"] for one in called})
    return _Found(hits, called, asked, request, [], False)


def _is_compared(asked: Query, *, plain: bool) -> bool:
    """Tell whether the words *asked* for have a meaning that passages are near to."""
    return len(asked.words) >= (1 if plain else QUESTION)


def _ask(
    ws: Workspace,
    db: sqlite3.Connection | None,
    journal: Journal,
    request: Request,
) -> Query:
    """Return what the index is asked for."""
    asked = read_stems(db, request.words)
    if request.spans:
        asked = narrow_telling(asked, request.timeless, request.spans)
    if request.is_plain:
        return asked
    # few queries demand more than words
    from companion.storage.index.search.filters import (
        find_allowed,
        list_beginning_with,
    )
    from companion.storage.index.search.pending_filters import (
        list_open_beginning,
    )

    beginnings = []
    for group in request.groups:
        beginnings += [term.text for term in group if term.kind == "prefix"]
    if beginnings:
        words = list_open_beginning(journal.connection, beginnings, ws.who)
        if db is not None:
            for beginning in beginnings:
                words += list_beginning_with(db, beginning)
        asked = add_words(asked, words)
    if db is None:
        return asked
    return asked._replace(only=find_allowed(db, request, asked.languages))


def _measure_by_model(
    ws: Workspace, db: sqlite3.Connection, request: Request, asked: Query
) -> Query:
    """Return *asked* with how near each passage is by the vectors that the settings choose."""
    settings = _read_settings(ws)
    # reading YAML costs more than a search, and few choose these vectors
    if b"vectors" not in settings:
        return asked
    from companion.lookup.dense import is_chosen, measure_by_model

    if not is_chosen(settings):
        return asked
    found = measure_by_model(ws, db, request.words)
    return asked._replace(near=found.cosines, no_near=found.trouble)


def _read_settings(ws: Workspace) -> bytes:
    """Return the settings of the wiki as they stand; nothing where there are none to be read."""
    path = os.path.join(ws.place.root, ".companion", "companion.yaml")
    try:
        with open(path, "rb") as file:
            return file.read()
    # a clone without a work tree has no settings but the standard ones
    except OSError:
        return b""


def _warn_of_vectors(db: sqlite3.Connection | None, asked: Query) -> str | None:
    """Return why a question was searched by its words alone, or by the static vectors; None where
    it was searched as was chosen.
    """
    if asked.no_near is not None:
        return (
            f"Searched without the multilingual vectors: {asked.no_near}."
            " The next night makes what is missing."
        )
    trouble = find_trouble(db) if db is not None and asked.is_question else None
    if trouble is None:
        return None
    return (
        f"Searched by words alone: {trouble}. `companion rebuild` tries again."
    )


def _find_hits(
    ws: Workspace,
    db: sqlite3.Connection | None,
    journal: Journal,
    request: Request,
    asked: Query,
    statistics: Statistics,
    title_key: str,
    limit: int,
    state: str | None,
) -> list[Hit]:
    hits: list[Hit] = []
    if db is not None and state == "archived":
        hits += find_tombstones(db, asked, limit)
    if db is not None and state != "pending":
        hits += _find_passages(db, asked, statistics, title_key, limit, state)
    if state in (None, "pending"):
        fits = None
        if not request.is_plain:
            from companion.storage.index.search.pending_filters import (
                fits_request,
            )

            connection = journal.connection
            fits = fits_request(connection, request, asked.languages, ws.who)
        pending = find_pending(
            journal.connection, asked, statistics, limit, ws.who, fits
        )
        waiting = [
            add_span(hit, asked.spans)
            for hit in pending
            if not _is_consumed(db, hit.id)
        ]
        hits += place_waiting(waiting, hits, asked)
    return hits


def _find_passages(
    db: sqlite3.Connection,
    asked: Query,
    statistics: Statistics,
    title_key: str,
    limit: int,
    state: str | None,
) -> list[Hit]:
    """Return the best passages; of a query without words those that were told last."""
    if asked.only is None or asked.phrases:
        return find_passages(db, asked, statistics, title_key, limit, state)
    from companion.storage.index.search.filters import list_newest

    places = list_newest(db, asked.only.docs, limit)
    hits = list_hits(db, places)
    wanted = ("archived",) if state == "archived" else None
    return [
        hit
        for hit in hits
        if (hit.state in wanted if wanted else hit.state != "archived")
    ]


def _is_consumed(db: sqlite3.Connection | None, capture: str) -> bool:
    return db is not None and find_outcome(db, capture) is not None


def _add_other_sides(
    db: sqlite3.Connection, hits: Sequence[Hit], sides: Mapping[str, Side]
) -> list[Hit]:
    """Return *hits*, each on one side of a shift beside the other side (CON-10).

    What replaced a page comes before it; what a page replaced lately comes after it. The other side
    is shown even where that exceeds the limit.
    """
    found = {hit.id: hit for hit in reversed(hits)}
    shown: list[Hit] = []
    for hit in hits:
        if hit in shown:
            continue
        side = sides.get(hit.id)
        if side is None or any(one.id == side.other for one in shown):
            shown.append(hit)
            continue
        other = found.get(side.other) or find_entry(
            db, side.other, hit.score, "other side"
        )
        shown += _pair(hit, other, side)
    return shown


def _pair(hit: Hit, other: Hit | None, side: Side) -> list[Hit]:
    """Return *hit* and the *other* side of its shift, in the order in which they are shown."""
    if other is None:
        return [hit]
    return [other, hit] if side.role == "old" else [hit, other]


def _describe_hits(
    ws: Workspace,
    db: sqlite3.Connection | None,
    hits: Sequence[Hit],
    sides: Mapping[str, Side],
    asked: Query,
) -> "list[SearchHit]":
    results: list[SearchHit] = []
    words = list_shown_words(asked)
    for hit in hits:
        shown = describe_hit(ws, hit, words)
        shift = describe_side(ws, db, sides.get(hit.id))
        results.append({**shown, "shift": shift})
    return results
