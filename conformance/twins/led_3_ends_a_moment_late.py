"""LED-3 broken: what ends at a moment is still so at it."""

from honest import within

BREAKS = "LED-3"
EXPECTS = "LED-3: something else stands"

within(
    {
        "companion.ledger.supersession": """
        def _holds(a, at, end):
            return not a.negated and a.valid_from <= at and (end is None or at <= end)
    """,
    }
)
