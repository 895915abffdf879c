"""DEC-6 broken: a statement that lost is archived as soon as nothing rests on its page."""

from honest import within

BREAKS = "DEC-6"
EXPECTS = "DEC-6: not on the seventh day of use after it lost"

within(
    {
        "companion.operations.decay.plan": """
        def plan_statement(since, base, floor, instant):
            return honest.plan_statement("2026-01-01", base, floor, instant or since)
    """,
    }
)
