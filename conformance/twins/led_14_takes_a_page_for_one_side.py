"""LED-14 broken: of what one page says, the first is the answer, also where the page says both."""

from honest import within

BREAKS = "LED-14"
EXPECTS = "LED-14: half of a dispute"

within(
    {
        "companion.answers.budget": """
        def fit_into_budget(made, budget):
            first = {}
            for each in made:
                first.setdefault(each["path"][-1]["sources"][0]["entry"], each)
            return honest.fit_into_budget(list(first.values()), budget)
    """,
    }
)
