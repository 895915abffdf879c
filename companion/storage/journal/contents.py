"""The bytes of captures, wherever they are."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping


class Contents(Mapping[str, bytes]):
    """The bytes of captures by id: the journal's own, else git's."""

    def __init__(self, db: sqlite3.Connection, from_git: Callable[[str], bytes]) -> None:
        self._db, self._from_git = db, from_git

    def __getitem__(self, id: str) -> bytes:
        row = self._db.execute("SELECT content, blob FROM captures WHERE id = ?", (id,)).fetchone()
        if row is None:
            raise KeyError(id)
        return self._from_git(row[1]) if row[0] is None else bytes(row[0])

    def __iter__(self) -> Iterator[str]:
        return (id for (id,) in self._db.execute("SELECT id FROM captures ORDER BY seq"))

    def __len__(self) -> int:
        return int(self._db.execute("SELECT count(*) FROM captures").fetchone()[0])
