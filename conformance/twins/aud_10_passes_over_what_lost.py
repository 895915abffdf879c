"""AUD-10 broken: an entry that lost to a branch is no case for AUDIT."""

from honest import within

BREAKS = "AUD-10"
EXPECTS = "AUD-10: what lost to a branch is not audited"

within(
    {
        "companion.storage.index.tables.decay": """
        def list_lost_incumbents(db):
            return []
    """,
    }
)
