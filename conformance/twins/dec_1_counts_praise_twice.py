"""DEC-1 broken: what was said of a page counts twice."""

from honest import within

BREAKS = "DEC-1"
EXPECTS = "DEC-1: utility of North is not its weight times"

within(
    {
        "companion.operations.decay.vitality": """
        def terms(*, utility, **rest):
            return honest.terms(utility=2 * utility, **rest)
    """,
    }
)
