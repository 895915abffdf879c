"""CON-1 broken: each note is held against the wiki alone."""

from honest import within

BREAKS = "CON-1"
EXPECTS = "CON-1: notes were not held against each other"

within(
    {
        "companion.operations.consolidate.judging.judge_captures": """
        def ask_ahead(*given):
            pass

        def compare_captures(*given):
            pass
    """,
    }
)
