"""Finding things: passages of pages by the full-text index of stems.

A passage is a note on a page, or the page's own words. Each is found by itself, by BM25 as FTS5
computes it, and by what the memory knows of it (`nearby`). On the hot path.
"""

import sqlite3
from collections.abc import Collection, Iterable, Sequence
from typing import Literal

from companion.language.words import snowball
from companion.storage.index.ranking.bm25 import (
    TITLE_WEIGHT,
    count_phrase,
    score_bm25,
)
from companion.storage.index.ranking.later import Worth, lift_later
from companion.storage.index.ranking.meaning import measure_nearness
from companion.storage.index.ranking.nearby import (
    ANSWERS,
    Parts,
    Surroundings,
    weigh_surroundings,
)
from companion.storage.index.ranking.query import (
    Allowed,
    Phrase,
    Query,
    Statistics,
    weigh_words,
)
from companion.storage.index.ranking.spread import (
    list_conversations,
    spread_days,
)
from companion.storage.index.terms import split_words
from companion.tuples import NamedTuple

# what a match in a decaying page, or in a note that lost, counts, against the same in one that is
# alive
FADED = 0.5
_WIDE = 170  # passages beyond the limit that may still rise by what stands around them
# of the best score; BM25 gives a word of every passage a millionth
_WORTH = 1e-3
# of what the best passage has by its words, to the one that is nearest in meaning (ADR 204)
MEANING = 1.0
# the near counts more than in proportion (ADR 236)
STEEPNESS = 1.25
# cosine from which a passage without a word of the question is found
LEAST = 0.2
# what a match counts, in SQL
_ALIVE = f"""
    CASE e.state WHEN 'decaying' THEN {FADED} ELSE 1.0 END
    * CASE q.earlier WHEN 1 THEN {FADED} ELSE 1.0 END
    """


_AT_ONCE = 400  # pages that one query asks for

HitState = Literal["pending", "active", "decaying", "archived", "minority"]


class Hit(NamedTuple):
    """One result. *path* is None for a pending capture, whose *id* is the capture's."""

    id: str
    title: str | None
    path: str | None
    state: HitState
    score: float
    blob: str
    content: bytes | None
    time: str | None
    quarantined: bool = False
    statement: str = ""  # the note on the page; empty: the page's own words
    parts: Parts = ()  # what the score is the sum of
    speaker: str | None = None  # who told it, where that is on record


class TextLeft(NamedTuple):
    """The rest of a page's own words while a statement of it is suspended (AUD-1), as stems."""

    path: str
    title: Sequence[str]
    whole: Sequence[str]
    title_left: Sequence[str]
    left: Sequence[str]


class _Found(NamedTuple):
    doc: int
    path: str
    statement: str
    score: float  # by its words
    near: float = 0.0  # what its meaning adds
    alive: float = 1.0  # FADED where its page decays or it lost

    @property
    def worth(self) -> float:
        return self.score + self.near


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
    room = limit + len(exact) + _WIDE
    found = _match(db, _any(query.phrases), room, state, query.only)
    found = _lower(found, left, query.phrases, stats)
    if not found and not exact:
        beginnings = _any(query.phrases, prefix=True)
        found = _match(db, beginnings, limit, state, query.only)
        found = _lower_prefixed(found, left, query.phrases)
    found = _drop_worthless(found)
    if query.is_question:
        found = _add_meaning(db, found, query, stats, state)
        found = _lower_near(found, left)
    worths = {one.doc: one.worth for one in found}
    around = weigh_surroundings(db, worths, query.words, query.is_question)
    if query.is_question:
        around = _add_later(db, found, around, query.words)
    hits = _add_surroundings(db, found, around)
    hits = _put_titled_first(db, hits, exact)
    hits = [hit for hit in hits if _is_in(hit, state)]
    hits = [hit for hit in hits if query.allows(hit.path, hit.statement)]
    hits = sorted(_drop_pages_of_notes(hits), key=rank)
    if not query.is_question:
        return hits[:limit]
    return _spread(hits, list_conversations(around.told.values()), limit)


def _spread(hits: Sequence[Hit], days: frozenset[str], limit: int) -> list[Hit]:
    """Return the first *limit* of *hits*, with room for several of the conversations of *days*."""
    told = [(hit.time or "")[:10] for hit in hits]
    ranked = [
        (hit.score, day if day in days else "")
        for hit, day in zip(hits, told, strict=True)
    ]
    return [
        _lose(hits[place], lost) for place, lost in spread_days(ranked, limit)
    ]


def _lose(hit: Hit, lost: float) -> Hit:
    if not lost:
        return hit
    parts = (*hit.parts, ("same day", -lost))
    return hit._replace(score=hit.score - lost, parts=parts)


def _add_meaning(
    db: sqlite3.Connection,
    found: list[_Found],
    query: Query,
    stats: Statistics,
    state: str | None,
) -> list[_Found]:
    """Return *found*, and what is near to the question in meaning, each with what that is worth.

    The nearest gets as much by its meaning as the best gets by its words.
    """
    weights = weigh_words(query, stats)
    cosines = measure_nearness(db, weights, [one.doc for one in found])
    most = max(cosines.values(), default=0.0)
    if most < LEAST:
        return found
    best = max((one.score for one in found), default=1.0)
    known = {one.doc for one in found}
    others = [
        doc
        for doc, cosine in cosines.items()
        if doc not in known and cosine >= LEAST
    ]
    whole = [*found, *_find_places(db, others, state)]
    share = MEANING * best
    return [
        one._replace(
            near=share
            * one.alive
            * (cosines.get(one.doc, 0.0) / most) ** STEEPNESS
        )
        for one in whole
    ]


def _drop_worthless(found: list[_Found]) -> list[_Found]:
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


def _is_in(hit: Hit, state: str | None) -> bool:
    if state is None:
        return hit.state != "archived"
    return hit.state == state


def _add_surroundings(
    db: sqlite3.Connection, found: Sequence[_Found], around: Surroundings
) -> list[Hit]:
    """Return the passages found, and those that only stand beside them, as results."""
    known = {one.doc for one in found}
    beside = sorted(around.parts.keys() - known)
    others = [
        place for place in _find_places(db, beside, None) if place.alive == 1.0
    ]
    pages = _find_hits(db, {one.path for one in (*found, *others)})
    hits = []
    for one in found:
        parts = (*_list_own(one), *around.parts.get(one.doc, ()))
        hits.append(_make_hit(pages[one.path], one, parts, around))
    for one in others:
        parts = around.parts[one.doc]
        hits.append(_make_hit(pages[one.path], one, parts, around))
    return hits


def _add_later(
    db: sqlite3.Connection,
    found: Sequence[_Found],
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
        worths[one.doc] = Worth(one.score, one.near, one.worth + more)
    parts = dict(around.parts)
    for doc, lift in lift_later(db, words, worths, around.told).items():
        parts[doc] = (*parts.get(doc, ()), ("later", lift))
    return around._replace(parts=parts)


def _list_own(one: _Found) -> Parts:
    own = (("words", one.score), ("meaning", one.near))
    return tuple((name, worth) for name, worth in own if worth)


def _make_hit(
    page: Hit, one: _Found, parts: Parts, around: Surroundings
) -> Hit:
    """Return the passage *one* of *page* as a result."""
    told = around.told.get(one.doc)
    return page._replace(
        score=sum(worth for _, worth in parts),
        time=page.time if told is None else told.told_at,
        statement=one.statement,
        parts=parts,
        speaker=None if told is None else told.speaker,
    )


def _find_places(
    db: sqlite3.Connection, docs: Sequence[int], state: str | None
) -> list[_Found]:
    """Return where passages stand; archived ones only where they are asked for."""
    named = ",".join(map(str, docs))
    query = f"""
        SELECT q.doc, p.path, q.statement, 0.0, 0.0,
          {_ALIVE}
        FROM passages q
        JOIN pages p ON p.doc = q.page_doc
        LEFT JOIN entries e ON e.path = p.path AND NOT e.tombstone
        WHERE q.doc IN ({named}) AND {_write_state(state)}
        """
    return [_Found(*row) for row in db.execute(query)]


def _write_state(state: str | None) -> str:
    archived = "e.state IS 'archived'"
    return archived if state == "archived" else f"NOT ({archived})"


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
        best = own[0] if own else _find_hit(db, path, 0.0)
        if own:
            hits.remove(best)
        parts = (*best.parts, ("title", top))
        first.append(best._replace(score=best.score + top, parts=parts))
    return first + hits


def _lower(
    found: list[_Found],
    left: TextLeft | None,
    phrases: Sequence[Phrase],
    stats: Statistics,
) -> list[_Found]:
    """Leave the page of *left* the share of its score that its own words still have."""
    if left is None:
        return found
    whole = score_bm25(left.title, left.whole, phrases, stats)
    rest = score_bm25(left.title_left, left.left, phrases, stats)
    return _scale(found, left.path, rest / whole if whole > 0 else 0.0)


def _lower_near(found: list[_Found], left: TextLeft | None) -> list[_Found]:
    """Leave the page of *left* no meaning: its vector is of all of its words."""
    if left is None:
        return found
    kept = []
    for one in found:
        if one.path == left.path and not one.statement:
            one = one._replace(near=0.0)
        if one.worth > 0:
            kept.append(one)
    return kept


def _lower_prefixed(
    found: list[_Found], left: TextLeft | None, phrases: Sequence[Phrase]
) -> list[_Found]:
    """Do the same where words are found by how they begin: by the share of matches."""
    if left is None:
        return found
    beginnings = tuple(phrase[-1] for phrase in phrases)
    whole = _count_beginnings([*left.title, *left.whole], beginnings)
    rest = _count_beginnings([*left.title_left, *left.left], beginnings)
    return _scale(found, left.path, rest / max(whole, 1))


def _scale(found: list[_Found], path: str, share: float) -> list[_Found]:
    kept = []
    for one in found:
        if one.path == path and not one.statement:
            one = one._replace(score=one.score * share)
        if one.score > 0:
            kept.append(one)
    return kept


def _count_beginnings(words: Sequence[str], beginnings: tuple[str, ...]) -> int:
    return sum(word.startswith(beginnings) for word in words)


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


def rank(hit: Hit) -> tuple[float, list[int], str, str]:
    """Order results: the better first, of equals the one told last, then by id."""
    newest_first = [-ord(char) for char in hit.time or ""]
    return -round(hit.score, 6), newest_first, hit.id, hit.statement


def keep_best_of_each_page(hits: Iterable[Hit]) -> list[Hit]:
    """Return of *hits*, the best first, the first of each page or capture."""
    best: dict[str, Hit] = {}
    for hit in hits:
        best.setdefault(hit.id, hit)
    return list(best.values())


def _any(phrases: Sequence[Phrase], *, prefix: bool = False) -> str:
    star = "*" if prefix else ""
    return " OR ".join(f'"{" ".join(phrase)}"{star}' for phrase in phrases)


def _match(
    db: sqlite3.Connection,
    expression: str,
    limit: int,
    state: str | None,
    only: Allowed | None,
) -> list[_Found]:
    """Return the passages that match, at most *limit*, and only what may be found; of archived
    pages only where they are asked for.
    """
    if not expression:
        return []
    # What fades makes room: beyond the limit there may be others that are alive.
    rows = db.execute(
        f"""
        SELECT r.rowid, p.path, q.statement, -r.score * {_ALIVE} AS worth,
          0.0, {_ALIVE}
        FROM (
          SELECT rowid, bm25(stems, {TITLE_WEIGHT}, 1.0) AS score
          FROM stems
          WHERE stems MATCH ?1
          ORDER BY score
          LIMIT ?3
        ) r
        JOIN passages q ON q.doc = r.rowid
        JOIN pages p ON p.doc = q.page_doc
        LEFT JOIN entries e ON e.path = p.path AND NOT e.tombstone
        WHERE {_write_state(state)}
        ORDER BY worth DESC
        LIMIT ?2
        """,
        (
            expression,
            -1 if only else limit,
            -1 if state or only else 2 * limit,
        ),
    )
    found = [_Found(*row) for row in rows.fetchall()]
    if only is None:
        return found
    return [one for one in found if one.doc in only.docs][:limit]


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


def find_entry(
    db: sqlite3.Connection, id: str, score: float, why: str
) -> Hit | None:
    """Return an entry as a result of its own, of this score; *why* names what it is for."""
    row = db.execute(
        "SELECT path FROM entries WHERE id = ? AND NOT tombstone", (id,)
    ).fetchone()
    if row is None:
        return None
    return _find_hit(db, row[0], score)._replace(parts=((why, score),))


def list_hits(
    db: sqlite3.Connection, places: Iterable[tuple[str, str]]
) -> list[Hit]:
    """Return passages, given by page and note, as results without a score."""
    return [
        _find_hit(db, path, 0.0)._replace(statement=statement)
        for path, statement in places
    ]


def _find_hit(db: sqlite3.Connection, path: str, score: float) -> Hit:
    return _find_hits(db, [path])[path]._replace(score=score)


def _find_hits(
    db: sqlite3.Connection, paths: Collection[str]
) -> dict[str, Hit]:
    """Return pages as results without a score, by their paths."""
    asked = list(paths)
    hits = {}
    for first in range(0, len(asked), _AT_ONCE):
        some = asked[first : first + _AT_ONCE]
        marks = ",".join("?" * len(some))
        query = f"""
            SELECT coalesce(e.id, nullif(p.member, ''), p.path), p.title,
              p.path,
              CASE WHEN p.branch IS NULL THEN coalesce(
                e.state, 'active'
              ) ELSE 'minority' END,
              p.blob, coalesce(k.told, e.since), coalesce(e.quarantined, 0)
            FROM pages p
            LEFT JOIN entries e ON e.path = p.path AND e.tombstone = 0
            LEFT JOIN known k ON k.id = e.id
            WHERE p.path IN ({marks})
            """
        for row in db.execute(query, tuple(some)):
            id, title, path, state, blob, time, quarantined = row
            hits[path] = Hit(
                id, title, path, state, 0.0, blob, None, time, bool(quarantined)
            )
    return hits
