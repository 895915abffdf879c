"""vectors.db: what an embedder made of each page's content. Derived, like index.db: delete it
freely.

A vector is keyed by the embedder and the blob, so it is never stale: changed content has another
hash, and a changed model other rows. One signed byte per dimension. Thousands lie in one row,
because a night reads all of them: 100,000 rows would take it longer than comparing what is in them.
"""

import os
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence

from companion.errors import CompanionError
from companion.storage.files import durable
from companion.storage.git import layout
from companion.storage.index import schema
from companion.tuples import NamedTuple

PACK = 4096  # vectors in a row, at most: a megabyte
# changes with what a text's vector is made of, so that old vectors are not mixed with new ones
_MADE = "3"

_SCHEMA = (
    "DROP TABLE IF EXISTS vectors",  # a row for each, as it once was
    """
    CREATE TABLE IF NOT EXISTS packs (
      embedder TEXT NOT NULL, n INTEGER NOT NULL, count INTEGER NOT NULL,
      blobs TEXT NOT NULL, vectors BLOB NOT NULL, PRIMARY KEY (embedder, n)
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS complete (
      embedder TEXT PRIMARY KEY, tree TEXT NOT NULL
    ) WITHOUT ROWID
    """,
)

Row = tuple[str, bytes]  # a blob, and its vector


class Pack(NamedTuple):
    """As many vectors one after the other, and the blobs they are of."""

    size: int
    blobs: str
    vectors: bytes

    def blob(self, n: int) -> str:
        """Return the *n*-th blob."""
        width = len(self.blobs) // self.size
        return self.blobs[n * width : (n + 1) * width]

    def named(self) -> list[str]:
        """Return all of the blobs."""
        width = len(self.blobs) // self.size
        return [
            self.blobs[at : at + width]
            for at in range(0, len(self.blobs), width)
        ]

    def vector(self, n: int) -> bytes:
        """Return the *n*-th vector."""
        width = len(self.vectors) // self.size
        return self.vectors[n * width : (n + 1) * width]


class VectorsUnread(CompanionError):
    """The vectors cannot be read."""

    exit_code = 65
    hint = "The next night makes them again."


def find_vectors(state: str) -> str:
    """Return where the vectors of the wiki lie whose derived files are in *state*."""
    return os.path.join(state, "vectors.db")


def name_embedder(identity: Sequence[str]) -> str:
    """Return under which name the vectors of an embedder are kept."""
    return "/".join((*identity, _MADE))


def read_vectors(path: str, embedder: str) -> list[Pack]:
    """Return the packs of *embedder* in the file at *path*, which is not touched.

    Raises VectorsUnread.
    """
    if not os.path.exists(path):
        raise VectorsUnread("no night has made vectors yet")
    query = (
        "SELECT count, blobs, vectors FROM packs WHERE embedder = ? ORDER BY n"
    )
    try:
        db = sqlite3.connect(layout.read_only_uri(path), uri=True)
        try:
            packs = [Pack(*row) for row in db.execute(query, (embedder,))]
        finally:
            db.close()
    except sqlite3.DatabaseError as error:
        raise VectorsUnread(f"vectors.db cannot be read: {error}") from error
    if not packs:
        raise VectorsUnread("vectors.db holds those of another model")
    return packs


class Vectors:
    """An open vectors.db; only the holder of sleep.lock writes to it."""

    def __init__(self, path: str, embedder: str) -> None:
        """Open or create the file at *path*; one that is damaged is replaced, for it is derived.

        Raises sqlite3.OperationalError with the file untouched where another process holds it or
        the disk refuses.
        """
        self.embedder = embedder
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        durable.make_private(path)
        self._db = sqlite3.connect(path, timeout=30, isolation_level=None)
        try:
            self._prepare()
        except sqlite3.OperationalError:
            self._db.close()
            raise  # busy, or the disk: nothing is wrong with the file
        except sqlite3.DatabaseError:
            self._db.close()
            # with its log: SQLite would play it into the new file
            schema.remove_database(path)
            self._db = sqlite3.connect(path, timeout=30, isolation_level=None)
            self._prepare()

    def _prepare(self) -> None:
        for statement in _SCHEMA:
            self._db.execute(statement)

    def close(self) -> None:
        self._db.close()

    def packs(self) -> Iterator[Pack]:
        """Yield every pack of this embedder; none is kept in memory."""
        query = "SELECT count, blobs, vectors FROM packs WHERE embedder = ? ORDER BY n"
        return (Pack(*row) for row in self._db.execute(query, (self.embedder,)))

    def some(self, blobs: Collection[str]) -> dict[str, bytes]:
        """Return the vectors of those of *blobs* that have one."""
        wanted, found = set(blobs), {}
        for pack in self.packs() if wanted else ():
            found.update(
                {
                    blob: pack.vector(n)
                    for n, blob in enumerate(pack.named())
                    if blob in wanted
                }
            )
        return found

    def missing(self, blobs: Iterable[str]) -> list[str]:
        """Return those of *blobs* that have no vector, each once, in order."""
        wanted = dict.fromkeys(blobs)
        query = "SELECT count, blobs, x'' FROM packs WHERE embedder = ?"
        for row in self._db.execute(query, (self.embedder,)) if wanted else ():
            for blob in wanted.keys() & set(Pack(*row).named()):
                del wanted[blob]
        return list(wanted)

    def count(self) -> int:
        """Return how many vectors this embedder has here."""
        query = "SELECT coalesce(sum(count), 0) FROM packs WHERE embedder = ?"
        return int(self._db.execute(query, (self.embedder,)).fetchone()[0])

    def put(self, rows: Sequence[Row]) -> None:
        """Keep the vectors of some blobs that have none."""
        self._db.execute("BEGIN IMMEDIATE")
        self._append(rows)
        self._db.execute("COMMIT")

    def _append(self, rows: Sequence[Row]) -> None:
        query = """
            SELECT n, count, blobs, vectors
            FROM packs
            WHERE embedder = ?
            ORDER BY n DESC
            LIMIT 1
            """
        n, count, blobs, vectors = self._db.execute(
            query, (self.embedder,)
        ).fetchone() or (
            0,
            0,
            "",
            b"",
        )
        while rows:
            some, rows = rows[: PACK - count], rows[PACK - count :]
            blobs, vectors = (
                blobs + "".join(b for b, _ in some),
                vectors + b"".join(v for _, v in some),
            )
            pack = (self.embedder, n, count + len(some), blobs, vectors)
            self._db.execute(
                "INSERT OR REPLACE INTO packs VALUES (?,?,?,?,?)", pack
            )
            n, count, blobs, vectors = n + 1, 0, "", b""

    def keep(self, blobs: Collection[str]) -> None:
        """Drop every vector but those of *blobs*."""
        kept = list(self.some(blobs).items())
        self._db.execute("BEGIN IMMEDIATE")
        self._db.execute(
            "DELETE FROM packs WHERE embedder = ?", (self.embedder,)
        )
        self._append(kept)
        self._db.execute("COMMIT")

    def forget_others(self) -> None:
        """Drop what other embedders left."""
        for table in ("packs", "complete"):
            self._db.execute(
                f"DELETE FROM {table} WHERE embedder <> ?", (self.embedder,)
            )

    def tree(self) -> str | None:
        """Return the tree of which every page has its vector; None where none is known."""
        row = self._db.execute(
            "SELECT tree FROM complete WHERE embedder = ?", (self.embedder,)
        ).fetchone()
        return None if row is None else str(row[0])

    def completed(self, tree: str) -> None:
        """Note that every page of *tree* has its vector."""
        self._db.execute(
            "INSERT OR REPLACE INTO complete VALUES (?,?)",
            (self.embedder, tree),
        )
