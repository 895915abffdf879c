"""AUD-7 broken: one entry more than asked for is audited."""

from honest import within

BREAKS = "AUD-7"
EXPECTS = "AUD-7: not the two of the highest gravity"

within(
    {
        "companion.operations.audit.choose": """
        def _candidates(db, top):
            return honest._candidates(db, top + 1)
    """,
    }
)
