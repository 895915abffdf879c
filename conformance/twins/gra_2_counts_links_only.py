"""GRA-2 broken: gravity is what links to a page, whatever would break without it."""

from honest import within

BREAKS = "GRA-2"
EXPECTS = "GRA-2: greater damage gives no more gravity"

within(
    {
        "companion.gravity.formula": """
        def base_gravity(centrality, fragmentation, factor=1.0):
            return honest.base_gravity(centrality, 0.0, factor)
    """,
    }
)
