"""CON-8 broken: what rests on the old entry is left alone."""

from honest import within

BREAKS = "CON-8"
EXPECTS = "CON-8: who links to the old entry is not told"

within(
    {
        "companion.ledger.dependents.flag": """
        def _list_falls(lines):
            return []
    """,
    }
)
