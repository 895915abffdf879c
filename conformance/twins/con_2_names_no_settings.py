"""CON-2 broken: a run does not say under which settings it ran."""

from honest import within

BREAKS = "CON-2"
EXPECTS = "CON-2: the run does not name all of its snapshot"

within(
    {
        "companion.runs.run": """
        def run_inputs(tonight, excluded, rules):
            found = honest.run_inputs(tonight, excluded, rules)
            del found["config"]
            return found
    """,
    }
)
