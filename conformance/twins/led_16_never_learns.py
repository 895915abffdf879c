"""LED-16 broken: what was told in private wins whoever says otherwise since."""

from honest import within

BREAKS = "LED-16"
EXPECTS = "LED-16: newer and corroborated"

within(
    {
        "companion.ledger.settlement": """
        def _is_newer_and_corroborated(value, told, private):
            return False
    """,
    }
)
