"""What the rows of minority branches, and their pages, come to at the end of a fold."""

import sqlite3

from companion.storage.index.tables.minority import MEMBERS_THERE

_STANDING = """
    SELECT s.{}
    FROM shifts s
    WHERE s.branch = branches.name AND NOT s.undone
    ORDER BY s.since DESC
    LIMIT 1
    """
_FOLLOWS = """
    SELECT f.{}
    FROM follows f
    WHERE f.branch = name AND NOT f.undone
    ORDER BY f.since DESC
    LIMIT 1
    """
_LAST_MOVE = """
    SELECT e.entry
    FROM events e
    JOIN runs r ON r.run = e.run
    WHERE e.subject = consumed.capture AND e.event = 'moved'
    ORDER BY r.time DESC, e.run DESC, e.n DESC
    LIMIT 1
    """
_LATEST = """
    SELECT t.{}
    FROM transitions t
    WHERE t.entry = entries.id AND NOT t.undone {}
    ORDER BY t.since DESC, t.run DESC, t.state = 'archived' DESC
    LIMIT 1
    """
_RELATE = (
    f"UPDATE branches SET entry = ({_STANDING.format('entry')})",
    f"""
    UPDATE branches
    SET incumbent = coalesce(({_FOLLOWS.format("incumbent")}), first),
      statement = CASE WHEN EXISTS (
        SELECT 1 FROM follows f WHERE f.branch = name AND NOT f.undone
      ) THEN ({_FOLLOWS.format("statement")}) ELSE first_statement END
    """,
    """
    UPDATE branches
    SET state = CASE WHEN entry IS NOT NULL THEN 'promoted' WHEN EXISTS (
      SELECT 1
      FROM closures c
      WHERE c.branch = name AND NOT c.undone
    ) THEN 'closed' ELSE 'open' END
    """,
    f"""
    UPDATE branches
    SET cycles_open = (
      SELECT count(*)
      FROM runs r
      WHERE r.operation = 'consolidate'
        AND r.time > branches.opened
        AND r.time <= coalesce(({_STANDING.format("since")}), r.time)
    )
    """,
    f"""
    UPDATE branches
    SET cluster_size = (
      SELECT count(*)
      FROM ({MEMBERS_THERE}) t
      WHERE t.branch = branches.name
    )
    """,
    f"""
    UPDATE branches
    SET contradictions = (
      SELECT count(*)
      FROM ({MEMBERS_THERE}) t
      WHERE t.branch = branches.name AND t.contradicts
    )
    """,
    # What a promoted page took in rests in that page, unless it moved on from there.
    f"""
    UPDATE consumed
    SET entry = (
      SELECT coalesce(({_LAST_MOVE}), b.entry, m.entry)
      FROM branch_members m
      JOIN branches b ON b.name = m.branch
      WHERE m.capture = consumed.capture AND m.run = consumed.run
    )
    WHERE (capture, run) IN (SELECT capture, run FROM branch_members)
    """,
    # a statement may have moved to another page since
    """
    UPDATE branches
    SET incumbent = coalesce(
      (SELECT c.entry FROM consumed c WHERE c.capture = statement), incumbent
    )
    WHERE statement IS NOT NULL
    """,
    "DELETE FROM edges WHERE type = 'contradicts'",
    f"""
    INSERT INTO edges
    SELECT coalesce(b.entry, t.entry), b.incumbent, 'contradicts', count(*)
    FROM ({MEMBERS_THERE}) t
    JOIN branches b ON b.name = t.branch
    WHERE t.contradicts AND b.incumbent IS NOT b.entry
    GROUP BY 1, 2
    """,
    f"""
    UPDATE entries
    SET state = CASE WHEN tombstone THEN state ELSE coalesce(
        ({_LATEST.format("state", "")}), 'active'
    ) END,
      superseded_by = ({_LATEST.format("by", "AND t.by IS NOT NULL")})
    WHERE id IN (SELECT entry FROM transitions)
    """,
)


def relate_branches(db: sqlite3.Connection) -> None:
    """Work out, at the end of a fold, what the branches' rows and the pages there come to."""
    if not db.execute(
        "SELECT EXISTS (SELECT 1 FROM branches) OR EXISTS (SELECT 1 FROM transitions)"
    ).fetchone()[0]:
        return
    for statement in _RELATE:
        db.execute(statement)
