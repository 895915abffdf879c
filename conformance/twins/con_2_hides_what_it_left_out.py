"""CON-2 broken: a run does not say which pages it left alone."""

from honest import within

BREAKS = "CON-2"
EXPECTS = "CON-2: the run does not name what it left out"

within(
    {
        "companion.runs.run": """
        def make_inputs(run, excluded, rules):
            return honest.make_inputs(run, {}, rules)
    """,
    }
)
