"""LED-11 broken: once its owner has read what is private, it is in the index that everybody
reads.
"""

from honest import within

BREAKS = "LED-11"
EXPECTS = "LED-11: (a peer saw|what was private is in the shared index)"

within(
    {
        "companion.ledger.private_view": """
        import sqlite3

        from companion.storage.index.tables import claims

        def show_to_owner(ws, journal, db):
            seen = honest.show_to_owner(ws, journal, db)
            if db is not None and journal.has_private(ws.who):
                mine = seen.execute("SELECT * FROM claims WHERE run = ''").fetchall()
                with sqlite3.connect(ws.place.index_db) as shared:
                    shared.executemany(claims.INSERT, [row[:-1] for row in mine])
            return seen
    """,
    }
)
