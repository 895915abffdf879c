"""CON-12 broken: nothing is so incoherent that it had to wait apart."""

from honest import within

BREAKS = "CON-12"
EXPECTS = "CON-12: low, mid and high are not told apart"

within(
    {
        "companion.comparison.cohesion": """
        def place_score(score):
            return honest.place_score(max(score, 0.6))
    """,
    }
)
