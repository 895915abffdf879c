"""LED-18 broken: what stands on one page is taken for one voice that contradicts nobody."""

from honest import within

BREAKS = "LED-18"
EXPECTS = "LED-18: a person meets one side"

within(
    {
        "companion.answers.budget": """
        def _list_sides(answers):
            sides = honest._list_sides(answers)
            pages = {told["entry"] for side in sides for told in side["told"]}
            return sides if len(pages) > 1 else []
    """,
    }
)
