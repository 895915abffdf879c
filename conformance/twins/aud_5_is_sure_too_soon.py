"""AUD-5 broken: a gain that chance gives in one of eight ways is enough."""

from honest import within

BREAKS = "AUD-5"
EXPECTS = "AUD-5: improved of"

within(
    {
        "companion.operations.audit.verdict": """
        IMPROVES = 0.13
    """,
    }
)
