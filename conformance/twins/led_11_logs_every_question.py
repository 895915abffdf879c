"""LED-11 broken: whatever was asked goes on record, private or not."""

from honest import within

BREAKS = "LED-11"
EXPECTS = "LED-11: a private question is on the shared branch"

within(
    {
        "companion.usage.record_in_run": """
        UseReader.is_private = lambda self, id: False
        UseReader._has_private_word = lambda self, use: False
    """,
    }
)
