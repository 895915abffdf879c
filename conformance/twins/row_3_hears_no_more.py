"""ROW-3 broken: after 999 signals none is heard."""

from honest import within

BREAKS = "ROW-3"
EXPECTS = "ROW-3: a thousand signals are too many"

within(
    {
        "companion.routing.signals": """
        MAX_SIGNALS = 999
    """,
    }
)
