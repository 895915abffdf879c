"""LED-17 broken: no trust class of the settings counts."""

from honest import within

BREAKS = "LED-17"
EXPECTS = "LED-17: whose word it is"

within(
    {
        "companion.ledger.resolve": """
        def _read_trust(db):
            return []
    """,
    }
)
