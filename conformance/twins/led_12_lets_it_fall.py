"""LED-12 broken: what rests on a value that fell is found when asked for, and told to nobody."""

from honest import within

BREAKS = "LED-12"
EXPECTS = "LED-12: a value fell"

within(
    {
        "companion.ledger.dependents.flag": """
        def flag_falls(db, falls, told=(), linked=None):
            return []
    """,
    }
)
