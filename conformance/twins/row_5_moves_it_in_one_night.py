"""ROW-5 broken: enough is enough, also where all of it came in one cycle."""

from honest import within

BREAKS = "ROW-5"
EXPECTS = "ROW-5: a single cycle has moved a statement"

within(
    {
        "companion.minority.positions": """
        def explain_wait(pressure, threshold, *, cycles, now, opened):
            return honest.explain_wait(pressure, threshold, cycles=2, now=now, opened=opened)
    """,
    }
)
