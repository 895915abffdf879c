"""DEC-7 broken: a note that misled on each of its reads stands as long as its page does."""

from honest import within

BREAKS = "DEC-7"
EXPECTS = "DEC-7: a note that only misled stands"

within(
    {
        "companion.operations.decay.plan": """
        MISLEADS = 1000
    """,
    }
)
