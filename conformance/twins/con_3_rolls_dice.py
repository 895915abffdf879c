"""CON-3 broken: what a voice weighs is a matter of chance, a little."""

from honest import within

BREAKS = "CON-3"
EXPECTS = "CON-3: the same snapshot gave two trees"

within(
    {
        "companion.minority.pressure": """
        import random


        def _weigh(first, telling, now, policy):
            voice = honest._weigh(first, telling, now, policy)
            return voice._replace(plain=voice.plain * (1 - random.random() / 1000))
    """,
    }
)
