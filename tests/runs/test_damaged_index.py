"""A night that meets damage in the index, which is derived, begins again with a new one."""

import sqlite3
from pathlib import Path

from tests.wiki import Wiki


def _spoil(path: Path, table: str) -> None:
    """Write zeros over the first page of *table*."""
    db = sqlite3.connect(path)
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    ((root, size),) = db.execute(
        "SELECT rootpage, (SELECT page_size FROM pragma_page_size)"
        " FROM sqlite_master WHERE name = ?",
        (table,),
    )
    db.close()
    content = bytearray(path.read_bytes())
    content[(root - 1) * size : root * size] = bytes(size)
    path.write_bytes(content)


def test_a_night_builds_a_damaged_index_anew(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest("The boiler was serviced by Mr. Petrov.")
    wiki.consolidate()
    wiki.ingest("Oat milk is in the cellar.")
    _spoil(Path(wiki.ws.place.index_db), "pieces")

    done = wiki.consolidate()

    assert len(done["integrated"]) == 1
    assert len(wiki.search("boiler")) == 1
    assert len(wiki.search("cellar")) == 1
