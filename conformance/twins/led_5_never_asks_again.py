"""LED-5 broken: a conflict is named by its values alone, whenever it is."""

from honest import within

BREAKS = "LED-5"
EXPECTS = "LED-5: an old answer settled a later dispute"

within(
    {
        "companion.ledger.operators": """
        def _find_begin(sides):
            return ""
    """,
    }
)
