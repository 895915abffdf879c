"""GEN-5 broken: the word for another look changes nothing."""

from honest import within

BREAKS = "GEN-5"
EXPECTS = "GEN-5: the buffer cannot be judged again"

within(
    {
        "companion.operations.consolidate.quarantine": """
        Quarantine.again = property(lambda self: False, lambda self, value: None)
    """,
    }
)
