"""DEC-6 broken: a statement that lost is archived whatever rests on its page."""

from honest import within

BREAKS = "DEC-6"
EXPECTS = "DEC-6: a statement went although much rests on its page"

within(
    {
        "companion.operations.decay.plan": """
        def plan_statement(since, base, floor, instant):
            return honest.plan_statement(since, 0.0, floor, instant)
    """,
    }
)
