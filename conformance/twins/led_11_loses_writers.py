"""LED-11 broken: of many who write at once only one is heard."""

from honest import within

BREAKS = "LED-11"
EXPECTS = "LED-11: something that was told is lost"

within(
    {
        "companion.ledger.read_notes": """
        def make_claims_lines(readings, plan):
            return honest.make_claims_lines(readings, plan)[-1:]
    """,
    }
)
