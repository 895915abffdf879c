"""LED-18 broken: the answers come one by one, as if nothing contradicted them."""

from honest import within

BREAKS = "LED-18"
EXPECTS = "LED-18: a person meets one side"

within(
    {
        "companion.answers.budget": """
        def _list_sides(answers):
            return []
    """,
    }
)
