"""AUD-1 broken: what a suspended page states is left in the claim ledger."""

from honest import within

BREAKS = "AUD-1"
EXPECTS = "AUD-1: the suspended page still answered"

within(
    {
        "companion.storage.index.suspension": """
        _LEFT = {table: left for table, left in honest._LEFT.items() if table != "claims"}
    """,
    }
)
