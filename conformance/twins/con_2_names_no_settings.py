"""CON-2 broken: a run does not say under which settings it ran."""

from honest import within

BREAKS = "CON-2"
EXPECTS = "CON-2: the run does not name all of its snapshot"

within(
    {
        "companion.runs.run": """
        def make_inputs(run, excluded, rules):
            found = honest.make_inputs(run, excluded, rules)
            del found["config"]
            return found
    """,
    }
)
