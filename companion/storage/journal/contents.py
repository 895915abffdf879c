"""The bytes of captures, read as they are asked for."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping

from companion.values.hashing import sha256


class Contents(Mapping[str, bytes]):
    """The bytes of captures by id: the journal's own if they are what the id says, else git's."""

    def __init__(
        self, db: sqlite3.Connection, from_git: Callable[[str], bytes]
    ) -> None:
        self._db, self._from_git = db, from_git

    def __getitem__(self, id: str) -> bytes:
        row = self._db.execute(
            "SELECT content, blob FROM captures WHERE id = ?", (id,)
        ).fetchone()
        if row is None:
            raise KeyError(id)
        content = row[0]
        if content is not None and _is_whole(content, id):
            return bytes(content)
        # git checks what it reads; a bit of a row may have flipped
        return self._from_git(row[1])

    def __iter__(self) -> Iterator[str]:
        return (
            id
            for (id,) in self._db.execute(
                "SELECT id FROM captures ORDER BY seq"
            )
        )

    def __len__(self) -> int:
        return int(
            self._db.execute("SELECT count(*) FROM captures").fetchone()[0]
        )


def _is_whole(content: bytes, id: str) -> bool:
    """Tell whether *content* are the bytes that *id* names."""
    digest = sha256()
    digest.update(content)
    return bool(digest.hexdigest() == id)
