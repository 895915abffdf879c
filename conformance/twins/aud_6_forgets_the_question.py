"""AUD-6 broken: what somebody asked is not kept."""

from honest import within

BREAKS = "AUD-6"
EXPECTS = "AUD-6: what was asked is not in the query set"

within(
    {
        "companion.usage.record_read": """
        def record_search(ws, doc):
            return None
    """,
    }
)
