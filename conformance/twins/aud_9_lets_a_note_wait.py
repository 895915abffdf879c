"""AUD-9 broken: a note waits for a month without an audit of its page."""

from honest import within

BREAKS = "AUD-9"
EXPECTS = "AUD-9: a note is never archived"

within(
    {
        "companion.operations.audit.settle_statements": """
        def list_lost_statements(db):
            (last,) = db.execute("SELECT max(time) FROM runs WHERE operation = 'audit'").fetchone()
            found = honest.list_lost_statements(db)
            return [each for each in found if each.since > last]
    """,
    }
)
