"""DEC-7 broken: a page fades for what one of its notes did."""

from honest import within

BREAKS = "DEC-7"
EXPECTS = "DEC-7: a (page fell for one of its notes|note that only misled)"

within(
    {
        "companion.operations.decay.mislead": """
        def find_misled(run, entry):
            return None
    """,
    }
)
