"""CON-17 broken: the page falls with one of its statements."""

from honest import within

BREAKS = "CON-17"
EXPECTS = "CON-17: the page fell with one of its statements"

within(
    {
        "companion.minority.promote": """
        def read_contested_page(db, repo, entry):
            return None
    """,
    }
)
