"""TRI-6 broken: a refusal counts the places of a text from 0."""

from honest import within

BREAKS = "TRI-6"
EXPECTS = "TRI-6: line [0-9]+ is refused as something else"

within(
    {
        "companion.operations.triage.filter": """
        def _place(text, position):
            return f"0:{position}"
    """,
    }
)
