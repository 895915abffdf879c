"""LED-10 broken: the numbers that a source gives its statements say nothing."""

from honest import within

BREAKS = "LED-10"
EXPECTS = "LED-10: what a source numbers lower"

within(
    {
        "companion.ledger.settlement": """
        def list_outnumbered(assertions):
            return {}
    """,
    }
)
