"""CON-12 broken: what is in quarantine stays there for good."""

from honest import within

BREAKS = "CON-12"
EXPECTS = "CON-12: what waits apart is not looked at again"

within(
    {
        "companion.operations.consolidate.quarantine": """
        Quarantine.requalify = lambda self, *given: Requalified([], {})
    """,
    }
)
