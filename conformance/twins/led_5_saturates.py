"""LED-5 broken: evidence is a probability of six digits, which is 1 from a dozen voices on."""

from honest import within

BREAKS = "LED-5"
EXPECTS = "LED-5: unequal evidence is taken for a tie"

within(
    {
        "companion.ledger.operators": """
        measured = Side.evidence.fget
        Side.evidence = property(
            lambda self: round(1.0 - math.exp(-measured(self)), 6)
        )
    """,
    }
)
