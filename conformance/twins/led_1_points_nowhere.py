"""LED-1 broken: where the words stand is not kept."""

from honest import within

BREAKS = "LED-1"
EXPECTS = "LED-1: the words cannot be found"

within(
    {
        "companion.storage.claim_lines": """
        def encode_claim(claim, retracts=()):
            return {**honest.encode_claim(claim, retracts), "span": [0, 0]}
    """,
    }
)
