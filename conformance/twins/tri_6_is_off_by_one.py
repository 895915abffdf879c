"""TRI-6 broken: a field may not be as long as it says."""

from honest import within

BREAKS = "TRI-6"
EXPECTS = "TRI-6: taken or refused on the wrong side of a limit"

within(
    {
        "companion.operations.triage.filter": """
        def _find_problem(value, limit):
            return honest._find_problem(value, limit - 1)
    """,
    }
)
