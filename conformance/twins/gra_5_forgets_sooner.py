"""GRA-5 broken: half of the gravity is gone after 90 days."""

from honest import within

BREAKS = "GRA-5"
EXPECTS = "GRA-5: effective gravity is not half after half a year"

within(
    {
        "companion.gravity.formula": """
        HALF_LIFE = 90.0
    """,
    }
)
