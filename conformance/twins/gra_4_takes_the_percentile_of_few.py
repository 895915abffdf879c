"""GRA-4 broken: of 29 pages the 90th percentile is taken, as of 30."""

from honest import within

BREAKS = "GRA-4 DEC-2"
EXPECTS = "GRA-4: 29 pages have another floor"

within(
    {
        "companion.gravity.formula": """
        FEW = 29
    """,
    }
)
