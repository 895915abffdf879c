"""ROW-3 broken: a claim of one word is a signal."""

from honest import within

BREAKS = "ROW-3"
EXPECTS = "ROW-3: other lines are wrong"

within(
    {
        "companion.routing.signals": """
        _FEWEST = 1
    """,
    }
)
