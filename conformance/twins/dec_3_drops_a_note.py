"""DEC-3 broken: a note of which no sentence is chosen leaves the page, and with it its id."""

from honest import within

BREAKS = "DEC-3"
EXPECTS = "DEC-3: a note of a compressed page lost its place"

within(
    {
        "companion.lifecycle.compress": """
        def _kept_statement(block, kept, theirs):
            return list(kept)
    """,
    }
)
