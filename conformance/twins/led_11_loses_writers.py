"""LED-11 broken: of many who write at once only one is heard."""

from honest import within

BREAKS = "LED-11"
EXPECTS = "LED-11: something that was told is lost"

within(
    {
        "companion.ledger.read_notes": """
        def claim_events(readings, plan):
            return honest.claim_events(readings, plan)[-1:]
    """,
    }
)
