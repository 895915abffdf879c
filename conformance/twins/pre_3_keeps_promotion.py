"""PRE-3 broken: branches win although the settings go without promotion."""

from honest import within

BREAKS = "PRE-3"
EXPECTS = "PRE-3: promotion cannot be switched off"

within(
    {
        "companion.minority.apply": """
        def plan_branches(*given, policy, **more):
            return honest.plan_branches(*given, **more)
    """,
    }
)
