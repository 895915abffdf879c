"""AUD-7 broken: an entry waits 31 days."""

from honest import within

BREAKS = "AUD-7"
EXPECTS = "AUD-7: an entry is (not due after|audited again before) thirty days"

within(
    {
        "companion.operations.audit.choose": """
        EVERY = 31
    """,
    }
)
