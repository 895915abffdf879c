"""AUD-3 broken: a branch against one note is closed where any note of its page was confirmed."""

from honest import within

BREAKS = "AUD-3"
EXPECTS = "AUD-3: a branch was closed although another note was confirmed"

within(
    {
        "companion.operations.audit.settle": """
        def _find_newest(records, standing):
            return max(records.values(), key=lambda each: each.since, default=None)
    """,
    }
)
