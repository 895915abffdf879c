"""SCH-2 broken: once begun, a night goes on whatever happens to the machine."""

from honest import within

BREAKS = "SCH-2"
EXPECTS = "SCH-2: it went on although the machine was unplugged"

within(
    {
        "companion.sleep.safe_points": """
        def find_stop(decision, begun, now, *, asked=False):
            return None
    """,
    }
)
