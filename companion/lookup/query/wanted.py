"""Read a query with the times that it names, by the clock of this wiki. On the hot path of a
search.
"""

from functools import partial

from companion.lookup.query.read import Reading, read_query
from companion.lookup.query.times import Named, add_times
from companion.workspace import Workspace


def read_wanted(ws: Workspace, query: str, *, plain: bool = False) -> Reading:
    """Return what *query* wants; *plain*: nothing but words, as in a question."""
    reading = read_query(query, partial(_find_begin, ws), plain=plain)
    request = add_times(reading.request, partial(_list_named, ws))
    return reading._replace(request=request)


def _find_begin(ws: Workspace, words: str) -> str | None:
    """Return the instant at which the time begins that *words* name; None where they name none."""
    # few queries name a time
    from companion.lookup.time_words import read_span
    from companion.values.time import BadTime

    try:
        return read_span(ws, words).start
    # it is said with the result that the words are not understood
    except BadTime:
        return None


def _list_named(
    ws: Workspace, text: str, language: str, is_over: bool
) -> list[Named]:
    from companion.lookup.time_words import list_named

    return list_named(ws, text, language, is_over)
