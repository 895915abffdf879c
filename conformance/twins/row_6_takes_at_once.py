"""ROW-6 broken: the first cycle with poor outcomes takes the gravity."""

from honest import within

BREAKS = "ROW-6"
EXPECTS = "ROW-6: a single cycle has taken"

within(
    {
        "companion.routing.matrix": """
        REPEATED = 1
    """,
    }
)
