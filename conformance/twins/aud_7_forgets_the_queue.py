"""AUD-7 broken: what was flagged from outside waits for its gravity to be noticed."""

from honest import within

BREAKS = "AUD-7"
EXPECTS = "AUD-7: what was flagged from outside was not looked at"

within(
    {
        "companion.storage.index.tables.routing": """
        def list_queued(db):
            return []
    """,
    }
)
