"""SCH-3 broken: only time wakes it, however full the buffer is."""

from honest import within

BREAKS = "SCH-3"
EXPECTS = "SCH-3: a full buffer did not wake it"

within(
    {
        "companion.sleep.decision.rhythm": """
        def is_full(state, rules=None):
            return False
    """,
    }
)
