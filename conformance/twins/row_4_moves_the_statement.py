"""ROW-4 broken: on a page of several statements a single source moves one."""

from honest import within

BREAKS = "ROW-4"
EXPECTS = "ROW-4: a single source has moved a statement"

within(
    {
        "companion.minority.positions": """
        def explain_wait(pressure, threshold, *, cycles, now, opened):
            return "" if now > opened else "it is young"
    """,
    }
)
