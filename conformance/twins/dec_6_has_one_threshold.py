"""DEC-6 broken: what decays is archived, however alive it is."""

from honest import within

BREAKS = "DEC-6"
EXPECTS = "DEC-6: archived above its own threshold"

within(
    {
        "companion.operations.decay.plan": """
        def _decide_second_step(each, policy, instant):
            return honest._decide_second_step(
                each, policy._replace(archived=policy.decaying), instant
            )
    """,
    }
)
