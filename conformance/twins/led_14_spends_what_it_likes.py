"""LED-14 broken: everything that is known goes into the answer."""

from honest import within

BREAKS = "LED-14"
EXPECTS = "LED-14: the pack is larger"

within(
    {
        "companion.answers.budget": """
        def fit_into_budget(made, budget):
            return {**honest.fit_into_budget(made, 10**9), "budget": budget}
    """,
    }
)
