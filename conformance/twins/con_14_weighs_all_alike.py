"""CON-14 broken: a doubt costs the same whatever depends on the page that it meets."""

from honest import within

BREAKS = "CON-14"
EXPECTS = "CON-14: contradicting what others depend on costs no more"

within(
    {
        "companion.comparison.alignment": """
        def weigh_cost(cost, gravity):
            return cost
    """,
    }
)
