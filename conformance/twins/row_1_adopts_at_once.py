"""ROW-1 broken: a word becomes a name of the page in the night after it was first heard."""

from honest import within

BREAKS = "ROW-1"
EXPECTS = "ROW-1: a word that was noted yesterday is in the page"

within(
    {
        "companion.routing.adopt_words": """
        if not callable(is_due):
            raise LookupError("is_due")
        is_due = lambda usage, nights: usage.links > 0
    """,
    }
)
