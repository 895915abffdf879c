"""GEN-1 broken: a run takes the index away from everybody while it works."""

from honest import within

BREAKS = "GEN-1"
EXPECTS = "GEN-1: search (waits for|fails during) the run"

within(
    {
        "companion.operations.consolidate.run": """
        def consolidate(ws, **how):
            import sqlite3
            import time

            db = sqlite3.connect(ws.place.index_db, isolation_level=None)
            db.execute("PRAGMA journal_mode=DELETE")
            db.execute("BEGIN EXCLUSIVE")
            time.sleep(3)
            db.execute("ROLLBACK")
            db.close()
            return honest.consolidate(ws, **how)
    """,
    }
)
