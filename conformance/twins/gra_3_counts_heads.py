"""GRA-3 broken: every dependent counts the same, up to a ceiling."""

from honest import within

BREAKS = "GRA-3"
EXPECTS = "GRA-3: twice the dependents give twice the gravity"

within(
    {
        "companion.gravity.formula": """
        def base_gravity(centrality, fragmentation, factor=1.0):
            return factor * min(1.0, fragmentation / 100)
    """,
    }
)
