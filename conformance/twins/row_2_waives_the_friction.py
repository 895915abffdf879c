"""ROW-2 broken: the conflict gets another name, and nothing follows from it."""

from honest import within

BREAKS = "ROW-2"
EXPECTS = "ROW-2: the divergence is scored without friction"

within(
    {
        "companion.routing.watch_user_words": """
        WordWatch.compensate = lambda self, stands: dict(stands)
    """,
    }
)
