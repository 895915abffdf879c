"""AUD-10 broken: everything that fades is audited."""

from honest import within

BREAKS = "AUD-10"
EXPECTS = "AUD-10: what merely faded is audited"

within(
    {
        "companion.storage.index.tables.decay": """
        def list_lost_incumbents(db):
            return sorted(list_decay_starts(db))
    """,
    }
)
