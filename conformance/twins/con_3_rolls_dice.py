"""CON-3 broken: what a voice weighs is a matter of chance, a little."""

from honest import within

BREAKS = "CON-3"
EXPECTS = "CON-3: the same snapshot gave two trees"

within(
    {
        "companion.minority.pressure": """
        import random


        def _weight(member, now, policy):
            return honest._weight(member, now, policy) * (1 - random.random() / 1000)
    """,
    }
)
