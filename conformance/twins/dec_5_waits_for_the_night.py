"""DEC-5 broken: decay runs with a whole night only."""

from honest import within

BREAKS = "DEC-5"
EXPECTS = "DEC-5: decay waits for the next night"

within(
    {
        "companion.sleep.decision.policy": """
        def choose_steps(state, *, asked=False, rules=None):
            steps = honest.choose_steps(state, asked=asked)
            return steps if len(steps) > 1 else ()
    """,
    }
)
