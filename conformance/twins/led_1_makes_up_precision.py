"""LED-1 broken: every time is written down as exact to the second, however vaguely it was told."""

from honest import within

BREAKS = "LED-1"
EXPECTS = "LED-1: the precision"

within(
    {
        "companion.storage.claim_lines": """
        def encode_claim(claim, retracts=()):
            written = honest.encode_claim(claim, retracts)
            return {name: value for name, value in written.items() if name != "precision"}
    """,
    }
)
