"""LED-17 broken: every claim is as sure as one voice."""

from honest import within

BREAKS = "LED-17"
EXPECTS = "LED-17: a second voice"

within(
    {
        "companion.ledger.confidence": """
        def combine(standings):
            return {s.assertion.value: s.assertion.confidence for s in standings}
    """,
    }
)
