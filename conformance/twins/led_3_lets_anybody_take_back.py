"""LED-3 broken: whoever says so takes back what another told."""

from honest import within

BREAKS = "LED-3"
EXPECTS = "LED-3: something else stands"

within(
    {
        "companion.ledger.supersession": """
        def _takes_back(retraction, a):
            return retraction.value in ("", a.value)
    """,
    }
)
