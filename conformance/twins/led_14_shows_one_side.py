"""LED-14 broken: where both sides do not fit, the first one is the answer."""

from honest import within

BREAKS = "LED-14"
EXPECTS = "LED-14: half of a dispute"

within(
    {
        "companion.answers.budget": """
        def fit_into_budget(made, budget):
            return honest.fit_into_budget([each | {"disputed": False} for each in made], budget)
    """,
    }
)
