"""LED-15 broken: notes are found by their words only."""

from honest import within

BREAKS = "LED-15"
EXPECTS = "LED-15: not by three indices"

within(
    {
        "companion.answers.notes.places": """
        def list_by_meaning(ws, db, question, most):
            return []
    """,
    }
)
