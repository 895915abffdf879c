"""LED-11 broken: whatever was asked goes on record, private or not."""

from honest import within

BREAKS = "LED-11"
EXPECTS = "LED-11: a private question is on the shared branch"

within(
    {
        "companion.usage.record_in_run": """
        _Reader._is_private = lambda self, id: False
        _Reader._has_private_word = lambda self, use: False
    """,
    }
)
