"""AUD-8 broken: what an audit took of gravity stays away when the audit is taken back."""

from honest import within

BREAKS = "AUD-8"
EXPECTS = "AUD-8: what an audit took stays away"

within(
    {
        "companion.storage.index.tables.routing": """
        _FACTORS = _FACTORS.replace("a.undone", "0")
    """,
    }
)
