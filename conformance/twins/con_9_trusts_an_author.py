"""CON-9 broken: what one author brings counts as if many had."""

from honest import within

BREAKS = "CON-9"
EXPECTS = "CON-9: Lumen is not what its tellings press"

within(
    {
        "companion.minority.pressure": """
        def _sum_by_author(voices, policy):
            return sum(one.weight for one in voices)
    """,
    }
)
