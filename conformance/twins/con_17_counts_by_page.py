"""CON-17 broken: whatever contradicts a page contradicts the first statement on it."""

from honest import within

BREAKS = "CON-17"
EXPECTS = "CON-17: one branch speaks against two statements"

within(
    {
        "companion.minority.contested.contested_pages": """
        def find_contradicted(page, named, note):
            if not page.gathers:
                return honest.find_contradicted(page, named, note)
            return honest.find_belief(page, page.standing[0].capture)
    """,
    }
)
