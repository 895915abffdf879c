"""LED-12 broken: only what rests on a thing directly is looked for."""

from honest import within

BREAKS = "LED-12"
EXPECTS = "LED-12: what rests on it over two steps"

within(
    {
        "companion.ledger.dependents.follow": """
        def follow_dependents(fallen, resting, **bounds):
            return honest.follow_dependents(fallen, resting, depth=1)
    """,
    }
)
