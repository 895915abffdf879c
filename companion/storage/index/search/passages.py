"""Finding things: passages of pages by the full-text index of stems.

A passage is a note on a page, or the page's own words. Each is found by itself, by BM25 as FTS5
computes it, and by what the memory knows of it (`nearby`). On the hot path.
"""

import sqlite3
from collections.abc import Sequence

from companion.annotations import TYPE_CHECKING
from companion.language.words import snowball
from companion.storage.index.ranking.bm25 import count_phrase
from companion.storage.index.ranking.later import Worth, lift_later
from companion.storage.index.ranking.nearby import (
    ANSWERS,
    Parts,
    Surroundings,
    weigh_surroundings,
)
from companion.storage.index.ranking.query import (
    Query,
    Statistics,
    list_selective,
    weigh_words,
)
from companion.storage.index.ranking.spans import (
    Span,
    are_over,
    lift_told_then,
    share_of_span,
)
from companion.storage.index.ranking.spread import (
    list_conversations,
    spread_days,
)
from companion.storage.index.search.hits import Hit, find_hit, find_hits, rank
from companion.storage.index.search.matches import (
    Match,
    find_places,
    find_saying_all,
    match_words,
    write_any,
)
from companion.storage.index.search.nearness import add_meaning
from companion.storage.index.search.suspended import (
    TextLeft,
    lower,
    lower_near,
    lower_prefixed,
)
from companion.storage.index.terms import split_words

if TYPE_CHECKING:
    from companion.storage.index.ranking.together import Rare

_BEST = 3  # passages that may have every word of a short question
_WIDE = 170  # passages beyond the limit that may still rise by what stands around them
# of the best score; BM25 gives a word of every passage a millionth
_WORTH = 1e-3


def find_passages(
    db: sqlite3.Connection,
    query: Query,
    stats: Statistics,
    title_key: str,
    limit: int,
    state: str | None,
    left: TextLeft | None = None,
) -> list[Hit]:
    """Return the best passages; those of a page whose title or alias is the whole query come first.

    The own words of the page of *left* count with what is left of them.
    """
    exact = _list_titled(db, title_key, limit)
    found = _find_matches(db, query, stats, exact, limit, state, left)
    if query.says_much or query.near is not None:
        found = add_meaning(db, found, query, stats, state)
        found = lower_near(found, left)
    worths = {one.doc: one.worth for one in found}
    around = weigh_surroundings(
        db,
        worths,
        query.words,
        query.is_question,
        lambda: _find_rare(db, query, stats),
    )
    around = _add_spans(found, around, query.spans)
    asks_one_thing = query.says_much or _is_all_said(db, query, found)
    if asks_one_thing and not are_over(query.spans):
        around = _add_later(db, found, around, query.words)
    hits = _add_surroundings(db, found, around)
    hits = _put_titled_first(db, hits, exact)
    hits = _keep_wanted(hits, query, state)
    hits = sorted(_drop_pages_of_notes(hits), key=rank)
    if not query.is_question:
        return hits[:limit]
    return _spread(hits, list_conversations(around.told.values()), limit)


def _find_matches(
    db: sqlite3.Connection,
    query: Query,
    stats: Statistics,
    exact: Sequence[str],
    limit: int,
    state: str | None,
    left: TextLeft | None,
) -> list[Match]:
    """Return the passages with words of the query, else those with words that begin like them."""
    room = limit + len(exact) + _WIDE
    found: list[Match] = []
    # first without the words of most passages, which BM25 gives next to nothing
    for phrases in (list_selective(query.phrases, stats), query.phrases):
        if not found:
            found = match_words(db, write_any(phrases), room, state, query.only)
            found = lower(found, left, phrases, stats)
    if not found and not exact:
        beginnings = write_any(query.phrases, prefix=True)
        found = match_words(db, beginnings, limit, state, query.only)
        found = lower_prefixed(found, left, query.phrases)
    return _drop_worthless(found)


def _find_rare(
    db: sqlite3.Connection, query: Query, stats: Statistics
) -> "Rare":
    """Return which passages have which rare words of a question."""
    # only conversations need it
    from companion.storage.index.ranking.together import find_rare

    weights = weigh_words(query, stats)
    telling = [
        (stems, max(weights[word] for word in phrase))
        for phrase, stems in query.telling.items()
    ]
    return find_rare(db, telling, stats.frequency, stats.docs)


def _spread(hits: Sequence[Hit], days: frozenset[str], limit: int) -> list[Hit]:
    """Return the first *limit* of *hits*, with room for several of the conversations of *days*."""
    ranked: list[tuple[float, str]] = []
    for hit in hits:
        day = (hit.time or "")[:10]
        ranked.append((hit.score, day if day in days else ""))
    return [
        _lose(hits[place], lost) for place, lost in spread_days(ranked, limit)
    ]


def _lose(hit: Hit, lost: float) -> Hit:
    if not lost:
        return hit
    parts = (*hit.parts, ("same day", -lost))
    return hit._replace(score=hit.score - lost, parts=parts)


def _drop_worthless(found: list[Match]) -> list[Match]:
    """Leave out what only has words of nearly every passage, where others have more."""
    least = _WORTH * max((one.score for one in found), default=0.0)
    return [one for one in found if one.score >= least]


def _drop_pages_of_notes(hits: list[Hit]) -> list[Hit]:
    """Leave out the own words of pages of which a note is found that fits better."""
    best: dict[str | None, float] = {}
    for hit in hits:
        if hit.statement:
            best[hit.path] = max(best.get(hit.path, 0.0), hit.score)
    return [
        hit
        for hit in hits
        if hit.statement or hit.score >= best.get(hit.path, 0.0)
    ]


def _keep_wanted(
    hits: Sequence[Hit], query: Query, state: str | None
) -> list[Hit]:
    """Return which of *hits* are in *state*, and what the query allows."""
    return [
        hit
        for hit in hits
        if _is_in(hit, state) and query.allows(hit.path, hit.statement)
    ]


def _is_in(hit: Hit, state: str | None) -> bool:
    if state is None:
        return hit.state != "archived"
    return hit.state == state


def _add_surroundings(
    db: sqlite3.Connection,
    found: Sequence[Match],
    around: Surroundings,
) -> list[Hit]:
    """Return the passages found, and those that only stand beside them, as results."""
    known = {one.doc for one in found}
    beside = sorted(around.parts.keys() - known)
    others = [
        place for place in find_places(db, beside, None) if place.alive == 1.0
    ]
    pages = find_hits(db, {one.path for one in (*found, *others)})
    hits = []
    for one in found:
        parts = (*_list_own(one), *around.parts.get(one.doc, ()))
        hits.append(_make_hit(pages[one.path], one, parts, around))
    for one in others:
        parts = around.parts[one.doc]
        hits.append(_make_hit(pages[one.path], one, parts, around))
    return hits


def _is_all_said(
    db: sqlite3.Connection, query: Query, found: Sequence[Match]
) -> bool:
    """Tell whether one of the best passages has every word of a short question.

    What only has the name of "How old is Oskar?" is about Oskar, and not about that.
    """
    if not query.is_question or not found:
        return False
    best = sorted(found, key=lambda one: -one.worth)[:_BEST]
    docs = [one.doc for one in best]
    return bool(find_saying_all(db, query.telling.values(), docs))


def _add_later(
    db: sqlite3.Connection,
    found: Sequence[Match],
    around: Surroundings,
    words: Sequence[str],
) -> Surroundings:
    """Return *around* with what lifts each passage over an earlier one of the same matter."""
    worths = {}
    for one in found:
        others = dict(around.parts.get(one.doc, ()))
        if ANSWERS in others:
            continue  # what it says depends on what it answers
        more = sum(others.values())
        near = one.near + one.by_model
        worths[one.doc] = Worth(one.score, near, one.worth + more)
    parts = dict(around.parts)
    for doc, lift in lift_later(db, words, worths, around.told).items():
        parts[doc] = (*parts.get(doc, ()), ("later", lift))
    return around._replace(parts=parts)


def _add_spans(
    found: Sequence[Match],
    around: Surroundings,
    spans: Sequence[Span],
) -> Surroundings:
    """Return *around* with what each passage gets for being told in one of *spans*."""
    if not spans:
        return around
    worths = {one.doc: one.worth for one in found}
    for doc, some in around.parts.items():
        more = sum(worth for _, worth in some)
        worths[doc] = worths.get(doc, 0.0) + more
    parts = dict(around.parts)
    for doc, lift in lift_told_then(spans, worths, around.told).items():
        parts[doc] = (*parts.get(doc, ()), ("time", lift))
    return around._replace(parts=parts)


def add_span(hit: Hit, spans: Sequence[Span]) -> Hit:
    """Return the waiting note *hit* with what it gets for being told in one of *spans*."""
    worth = hit.score * share_of_span(spans, hit.time or "")
    if not worth:
        return hit
    parts = (*hit.parts, ("time", worth))
    return hit._replace(score=hit.score + worth, parts=parts)


def _list_own(one: Match) -> Parts:
    own = (
        ("words", one.score),
        ("meaning", one.near),
        ("vectors", one.by_model),
    )
    return tuple((name, worth) for name, worth in own if worth)


def _make_hit(page: Hit, one: Match, parts: Parts, around: Surroundings) -> Hit:
    """Return the passage *one* of *page* as a result."""
    told = around.told.get(one.doc)
    return page._replace(
        score=sum(worth for _, worth in parts),
        time=page.time if told is None else told.told_at,
        statement=one.statement,
        parts=parts,
        speaker=None if told is None else told.speaker,
    )


def _put_titled_first(
    db: sqlite3.Connection, hits: list[Hit], exact: Sequence[str]
) -> list[Hit]:
    """Return *hits* with the best passage of each page of *exact* above all others."""
    if not exact:
        return hits
    top = max((hit.score for hit in hits), default=0.0) + 1.0
    first = []
    for path in exact:
        own = sorted((hit for hit in hits if hit.path == path), key=rank)
        best = own[0] if own else find_hit(db, path, 0.0)
        if own:
            hits.remove(best)
        parts = (*best.parts, ("title", top))
        first.append(best._replace(score=best.score + top, parts=parts))
    return first + hits


def find_tombstones(
    db: sqlite3.Connection, query: Query, limit: int
) -> list[Hit]:
    """Return archived entries whose title has the query's words: their text has left the index
    (CTX-8).
    """
    hits = []
    rows = db.execute(
        """
        SELECT id, title, path, state, blob, since
        FROM entries
        WHERE tombstone
        """
    )
    for id, title, path, state, blob, since in rows:
        words = split_words(title)
        _, stems = snowball.stem_text(words, query.languages)
        score = float(sum(count_phrase(stems, one) for one in query.phrases))
        if score:
            parts = (("title", score),)
            hits.append(
                Hit(
                    id,
                    title,
                    path,
                    state,
                    score,
                    blob,
                    None,
                    since,
                    parts=parts,
                )
            )
    return sorted(hits, key=rank)[:limit]


def _list_titled(db: sqlite3.Connection, key: str, limit: int) -> list[str]:
    if not key:
        return []
    rows = db.execute(
        """
        SELECT page
        FROM names
        WHERE key = ?1
        UNION
        SELECT path
        FROM pages
        WHERE base_key = ?1
        ORDER BY 1
        LIMIT ?2
        """,
        (key, limit),
    )
    return [path for (path,) in rows]
