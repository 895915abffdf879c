"""CON-14 broken: what the owner asks and writes about now is not looked at."""

from honest import within

BREAKS = "CON-14"
EXPECTS = "CON-14: what the owner works on now counts nothing"

within(
    {
        "companion.comparison.alignment": """
        def measure_alignment(words, task):
            return 0.0
    """,
    }
)
