"""CON-16 broken: the threshold is proportional to gravity, so that a page without any resists nobody."""

from honest import within

BREAKS = "CON-16"
EXPECTS = (
    "CON-16: a page without gravity resists nobody|CON-16: a cycle promoted"
)

within(
    {
        "companion.minority.positions": """
        import dataclasses

        def measure_threshold(effective_gravity, friction, policy):
            plain = dataclasses.replace(policy, base=0.0)
            return honest.measure_threshold(effective_gravity, friction, plain)
    """,
    }
)
