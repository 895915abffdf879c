"""CON-2 broken: a run does not say which pages it left alone."""

from honest import within

BREAKS = "CON-2"
EXPECTS = "CON-2: the run does not name what it left out"

within(
    {
        "companion.runs.run": """
        def run_inputs(tonight, excluded, rules):
            return honest.run_inputs(tonight, {}, rules)
    """,
    }
)
