"""LED-15 broken: what was superseded is served beside what is so."""

from honest import within

BREAKS = "LED-15"
EXPECTS = "LED-15: what was superseded"

within(
    {
        "companion.ledger.resolve": """
        _STANDS = ("active", "disputed", "superseded")
    """,
    }
)
