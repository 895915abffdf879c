"""Pages as the other side of a comparison: which ones a capture may be held against, and which
speak of its matter.
"""

from collections.abc import Sequence
from typing import NamedTuple

from companion.pages import links
from companion.runs.run import Night
from companion.storage.index.tables.decay import HOLDS


class Page(NamedTuple):
    """A page as the other side of a comparison."""

    id: str
    path: str
    title: str
    blob: str
    told: str  # the newest telling that rests in it


_HELD = f"{HOLDS} AND NOT e.tombstone AND NOT e.quarantined"


class Held:
    """The content of pages that a capture may be held against: active entries that are not in
    quarantine.

    Each is looked up when it is asked for: a large wiki's would cost a night more than what it
    takes in.
    """

    def __init__(self, tonight: Night) -> None:
        self._db = tonight.db
        self._known: dict[str, str | None] = {}

    def __contains__(self, id: str) -> bool:
        return self._blob(id) is not None

    def __getitem__(self, id: str) -> str:
        blob = self._blob(id)
        if blob is None:
            raise KeyError(id)
        return blob

    def _blob(self, id: str) -> str | None:
        if id not in self._known:
            row = self._db.execute(
                f"SELECT e.blob FROM entries e WHERE {_HELD} AND e.id = ?", (id,)
            ).fetchone()
            self._known[id] = None if row is None else str(row[0])
        return self._known[id]


def held(tonight: Night) -> list[str]:
    """Return every entry that a capture may be held against."""
    return [
        id
        for (id,) in tonight.db.execute(f"SELECT e.id FROM entries e WHERE {_HELD} ORDER BY e.id")
    ]


def pages_of(tonight: Night, ids: Sequence[str]) -> list[Page]:
    """Return the pages of the entries *ids*, as sides of a comparison."""
    query = (
        "SELECT e.id, e.path, e.title, e.blob, coalesce(k.told, k.since, '') FROM entries e "
        f"LEFT JOIN known k ON k.id = e.id WHERE {_HELD} AND e.id = ?"
    )
    return [Page(*row) for id in ids for row in tonight.db.execute(query, (id,))]


def speaking(tonight: Night, subject: str, predicate: str) -> list[str]:
    """Return the entries that last spoke of one matter."""
    query = (
        "SELECT entry FROM claims WHERE subject_key = ? AND predicate_key = ? AND functional AND withdrawn_at IS NULL "
        "GROUP BY entry ORDER BY max(told_at) DESC, entry LIMIT 2"
    )
    return [id for (id,) in tonight.db.execute(query, (subject, predicate))]


def linked(tonight: Night, target: str) -> list[str]:
    """Return the entries that a link to *target* may mean, two at most."""
    query = (
        "SELECT e.id FROM pages p JOIN entries e ON e.path = p.path WHERE p.base_key = ?1 UNION "
        "SELECT e.id FROM names n JOIN entries e ON e.path = n.page WHERE n.key = ?2 ORDER BY 1 LIMIT 2"
    )
    return [id for (id,) in tonight.db.execute(query, (links.key(target), links.title_key(target)))]
