"""SCH-2 broken: whoever wakes it gets a night, whatever the state of the machine and the person."""

from honest import within

BREAKS = "SCH-2"
EXPECTS = "SCH-2: it slept with"

within(
    {
        "companion.sleep.night": """
        def decide(state, *, asked=False):
            return honest.decide(state, asked=True)
    """,
    }
)
