"""TRI-8 broken: old evidence weighs less, and no reason says so."""

from honest import within

BREAKS = "TRI-8"
EXPECTS = "TRI-8: the reason does not name the age of the evidence"

within(
    {
        "companion.minority.pressure": """
        def _describe_age(voices, policy):
            return ""
    """,
    }
)
