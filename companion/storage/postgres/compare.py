"""Compare shards in the projection: what they say differently of one subject, pages of one title,
links from one into another, and how heavy a page is over all of them.
"""

from typing import NamedTuple

from companion.storage.postgres.connect import Connection

_DIFFERENT = """
    WITH newest AS (
      SELECT DISTINCT ON (c.shard, c.subject_key, c.predicate_key)
        c.shard, c.subject_key, c.predicate_key, c.value, c.subject,
        c.predicate, c.object, c.told_at, c.capture, c.functional, e.gravity
      FROM claims c
      LEFT JOIN entries e ON e.shard = c.shard AND e.id = c.entry
      WHERE c.withdrawn_at IS NULL AND c.negated = 0
        AND c.mood = 'confirmed' AND c.name <> 'me'
      ORDER BY c.shard, c.subject_key, c.predicate_key, c.told_at DESC, c.id
    ),
    owners AS (
      SELECT DISTINCT ON (subject_key, predicate_key) *
      FROM newest
      ORDER BY subject_key, predicate_key, gravity DESC NULLS LAST, told_at,
        shard
    )
    SELECT o.shard, n.shard, n.subject, n.predicate, o.object, n.object,
      n.told_at, n.capture,
      coalesce((SELECT t.words FROM texts t
        WHERE t.shard = n.shard AND t.statement = left(n.capture, 12)
        ORDER BY t.path LIMIT 1), '')
    FROM owners o
    JOIN newest n USING (subject_key, predicate_key)
    WHERE n.shard <> o.shard AND n.value <> o.value
      AND (n.functional = 1 OR o.functional = 1)
    ORDER BY 1, 2, 3, 4, 5
    """
_SAME_TITLE = """
    WITH titled AS (
      SELECT p.shard, p.title, p.title_key, p.path, e.gravity
      FROM pages p
      JOIN entries e ON e.shard = p.shard AND e.path = p.path
      WHERE p.excluded = 0 AND p.branch IS NULL AND e.state = 'active'
        AND p.title !~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}'
    ),
    owners AS (
      SELECT DISTINCT ON (title_key) *
      FROM titled
      ORDER BY title_key, gravity DESC, shard, path
    )
    SELECT o.shard, t.shard, o.path, t.path, o.title
    FROM owners o
    JOIN titled t USING (title_key)
    WHERE t.shard <> o.shard
    ORDER BY 1, 2, 3, 4
    """
# pages that only one shard has by that name, and what links them from which page: by name from the
# other shards, by path in its own
_LINKING = """
    WITH living AS (
      SELECT shard, path, base_key
      FROM pages
      WHERE excluded = 0 AND branch IS NULL
    ),
    homes AS (
      SELECT base_key, min(shard) AS shard, min(path) AS path
      FROM living
      GROUP BY base_key
      HAVING count(*) = 1
    ),
    linking AS (
      SELECT l.*
      FROM links l
      JOIN living p ON p.shard = l.shard AND p.path = l.page
    ),
    abroad AS (
      SELECT DISTINCT h.shard, h.path, l.shard AS other, l.page
      FROM linking l
      JOIN homes h ON h.base_key = l.base_key
      WHERE l.to_path IS NULL AND l.shard <> h.shard
    )
    """
_INBOUND = f"""
    {_LINKING}
    SELECT shard, other, path, count(*)
    FROM abroad
    GROUP BY 1, 2, 3
    ORDER BY 1, 2, 3
    """
_WEIGHED = f"""
    {_LINKING},
    lines AS (
      SELECT DISTINCT shard, to_path AS path, shard AS other, page
      FROM linking
      WHERE to_path IS NOT NULL AND to_path <> page
      UNION ALL
      SELECT * FROM abroad
    ),
    counted AS (
      SELECT p.shard, p.path, count(l.page) AS pages,
        count(l.page) FILTER (WHERE l.other = p.shard) AS here
      FROM living p
      LEFT JOIN lines l ON l.shard = p.shard AND l.path = p.path
      GROUP BY 1, 2
    ),
    ranked AS (
      SELECT *, percent_rank() OVER (ORDER BY pages) AS rank
      FROM counted
    )
    SELECT shard, path, pages, here, floor(100 * rank)::int
    FROM ranked
    WHERE pages > here
    ORDER BY 1, 2
    """


class Different(NamedTuple):
    """Another shard says something else of a subject than the one that bears it."""

    owner: str
    other: str
    subject: str
    predicate: str
    here: str
    there: str
    told_at: str
    capture: str
    words: str  # the note of the other shard that says so


class SameTitle(NamedTuple):
    """Two shards have pages of one title; the heavier one is the owner's."""

    owner: str
    other: str
    path: str
    other_path: str
    title: str


class Inbound(NamedTuple):
    """Pages of another shard link a page that only the owner has."""

    owner: str
    other: str
    path: str
    pages: int


class Weighed(NamedTuple):
    """How heavy a page is over all shards, where others than its own link it."""

    owner: str
    path: str
    pages: int  # of all shards, that link it
    here: int  # of these, those of its own shard
    percentile: int  # of a hundred other pages of all shards, as many are linked by fewer


def list_different(pg: Connection) -> list[Different]:
    """Return what shards contradict each other in, by the shard that bears the subject."""
    return list(map(Different._make, pg.execute(_DIFFERENT)))


def list_same_titles(pg: Connection) -> list[SameTitle]:
    """Return the subjects that several shards have a page of."""
    return list(map(SameTitle._make, pg.execute(_SAME_TITLE)))


def list_inbound(pg: Connection) -> list[Inbound]:
    """Return the links that lead from one shard into another."""
    return list(map(Inbound._make, pg.execute(_INBOUND)))


def list_weighed(pg: Connection) -> list[Weighed]:
    """Return how heavy the pages are that other shards link, among all pages of all shards."""
    return list(map(Weighed._make, pg.execute(_WEIGHED)))
