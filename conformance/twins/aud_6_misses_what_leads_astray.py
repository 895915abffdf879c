"""AUD-6 broken: no gain is large enough, so that no page is found to lead astray."""

from honest import within

BREAKS = "AUD-6"
EXPECTS = "AUD-6: of two planted pages that lead astray it found 0"

within(
    {
        "companion.operations.audit.verdict": """
        IMPROVES = 0.0
    """,
    }
)
