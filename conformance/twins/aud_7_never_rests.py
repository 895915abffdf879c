"""AUD-7 broken: every entry is audited at every opportunity."""

from honest import within

BREAKS = "AUD-7"
EXPECTS = "AUD-7: an entry was audited twice in a month"

within(
    {
        "companion.operations.audit.verdict": """
        EVERY = 0
    """,
    }
)
