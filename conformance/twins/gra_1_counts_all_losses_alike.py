"""GRA-1 broken: a page that is only harder to find counts as one that lost its support."""

from honest import within

BREAKS = "GRA-1"
EXPECTS = "GRA-1: base gravity of .* is not what its parts give"

within(
    {
        "companion.gravity.formula": """
        LOOSE = 1.0
    """,
    }
)
