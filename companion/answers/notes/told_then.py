"""Find the notes told at the time that a question names: "What did I do on 4 October?"

The words of such a question often stand in no note, and what was told then answers it.
"""

import sqlite3

from companion.lookup.query.wanted import read_wanted
from companion.lookup.search import find_nearest
from companion.storage.index.search.hits import Hit
from companion.storage.index.search.wanted import Term
from companion.storage.journal.journal import Journal
from companion.tuples import NamedTuple
from companion.workspace import Workspace

MOST = 10
Groups = tuple[tuple[Term, ...], ...]  # what a query demands


class ToldThen(NamedTuple):
    """What was told at the time that a question names."""

    rest: str  # the question without the time
    hits: list[Hit]


def find_told_then(
    ws: Workspace, journal: Journal, db: sqlite3.Connection, question: str
) -> ToldThen | None:
    """Return the notes told at the time that *question* names; None: it names none that began, or
    nothing was told then.

    Those that have words of the question, the best first; where none has or the question has none,
    all of them. MOST at most, the last ones.
    """
    request = read_wanted(ws, question, plain=True).request
    hits: list[Hit] = []
    for span in request.spans[:1]:
        groups = ((Term("since", span.start),), (Term("before", span.end),))
        hits = _find_by_words(ws, journal, db, request.timeless, groups)
        hits = hits or _list_all(ws, journal, db, groups)
    if request.groups:
        # it names nothing but a time
        hits = _list_all(ws, journal, db, request.groups)
    return ToldThen(request.timeless, hits) if hits else None


def _find_by_words(
    ws: Workspace,
    journal: Journal,
    db: sqlite3.Connection,
    words: str,
    groups: Groups,
) -> list[Hit]:
    found = find_nearest(ws, journal, db, words, MOST, groups)
    return [hit for hit in found.hits if dict(hit.parts).get("words")]


def _list_all(
    ws: Workspace, journal: Journal, db: sqlite3.Connection, groups: Groups
) -> list[Hit]:
    """Return what was told last then."""
    return find_nearest(ws, journal, db, "", MOST, groups).hits
