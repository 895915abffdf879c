"""DEC-7 broken: a read keeps a page, whatever came of it."""

from honest import within

BREAKS = "DEC-7"
EXPECTS = "DEC-7: what misled on every read is kept"

within(
    {
        "companion.operations.decay.plan": """
        HARMFUL = -2
    """,
    }
)
