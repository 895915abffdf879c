"""AUD-1 broken: the words of a suspended note still count in a search."""

from honest import within

BREAKS = "AUD-1"
EXPECTS = "AUD-1: the words of the suspended note still found its page"

within(
    {
        "companion.storage.index.search.passages": """
        def lower(found, left, phrases, stats):
            return found
    """,
        "companion.storage.index.suspension": """
        _LEFT = {**honest._LEFT, "passages": "true"}
    """,
    }
)
