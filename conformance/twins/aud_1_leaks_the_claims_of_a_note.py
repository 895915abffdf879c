"""AUD-1 broken: what a suspended note states is left in the claim ledger."""

from honest import within

BREAKS = "AUD-1"
EXPECTS = "AUD-1: the suspended note still answered"

within(
    {
        "companion.storage.index.suspension": """
        _LEFT = {**honest._LEFT, "claims": f"entry NOT IN {honest._GONE}"}
    """,
    }
)
