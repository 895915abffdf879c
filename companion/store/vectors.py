"""vectors.db: what an embedder made of each page's content. Derived, like index.db: delete it freely.

A row is keyed by the embedder and the blob, so it is never stale: changed content has another hash, and a changed
model other rows. One signed byte per dimension.
"""

import os
import sqlite3
from collections.abc import Iterable, Sequence

_SCHEMA = """CREATE TABLE IF NOT EXISTS vectors (
  embedder TEXT NOT NULL, blob TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (embedder, blob)
) WITHOUT ROWID"""


class Vectors:
    """An open vectors.db; only the holder of sleep.lock opens it."""

    def __init__(self, path: str, embedder: str) -> None:
        """Open or create the file at *path*; one that SQLite cannot read is replaced, for it is derived."""
        self.embedder = embedder
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        self._db = sqlite3.connect(path, timeout=30, isolation_level=None)
        try:
            self._db.execute(_SCHEMA)
        except sqlite3.DatabaseError:
            self._db.close()
            os.unlink(path)
            self._db = sqlite3.connect(path, timeout=30, isolation_level=None)
            self._db.execute(_SCHEMA)

    def close(self) -> None:
        self._db.close()

    def put(self, rows: Sequence[tuple[str, bytes]]) -> None:
        """Keep the vectors of some blobs."""
        self._db.execute("BEGIN IMMEDIATE")
        self._db.executemany(
            "INSERT OR REPLACE INTO vectors VALUES (?,?,?)", [(self.embedder, blob, vector) for blob, vector in rows]
        )
        self._db.execute("COMMIT")

    def all(self) -> dict[str, bytes]:
        """Return every vector of this embedder by its blob."""
        query = "SELECT blob, vector FROM vectors WHERE embedder = ?"
        return dict(self._db.execute(query, (self.embedder,)).fetchall())

    def forget_others(self) -> int:
        """Drop what other embedders left; return how many rows that were."""
        return self._db.execute("DELETE FROM vectors WHERE embedder <> ?", (self.embedder,)).rowcount

    def drop(self, blobs: Iterable[str]) -> None:
        """Drop the vectors of *blobs*: contents that no page has any more."""
        self._db.execute("BEGIN IMMEDIATE")
        self._db.executemany(
            "DELETE FROM vectors WHERE embedder = ? AND blob = ?", [(self.embedder, blob) for blob in blobs]
        )
        self._db.execute("COMMIT")
