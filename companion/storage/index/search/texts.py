"""Which text each passage has: the hash under which its vector is kept."""

import sqlite3


def list_texts_of_passages(db: sqlite3.Connection) -> list[tuple[int, str]]:
    """Return the row number of each passage, and the hash of its text.

    Of a page without notes that is the page.
    """
    query = """
        SELECT q.doc, coalesce(s.text, p.blob)
        FROM passages q
        JOIN pages p ON p.doc = q.page_doc
        LEFT JOIN statements s ON s.page = p.path AND s.id = q.statement
        """
    return db.execute(query).fetchall()
