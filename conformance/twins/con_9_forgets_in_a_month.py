"""CON-9 broken: a telling weighs half after a month."""

from honest import within

BREAKS = "CON-9"
EXPECTS = "CON-9: .* is not what its tellings press"

within(
    {
        "companion.minority.pressure": """
        def _weigh(first, telling, now, policy):
            from dataclasses import replace

            return honest._weigh(first, telling, now, replace(policy, half_life=30.0))
    """,
    }
)
