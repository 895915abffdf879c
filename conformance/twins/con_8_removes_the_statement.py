"""CON-8 broken: the statement that lost is taken off the page."""

from honest import within

BREAKS = "CON-8"
EXPECTS = "CON-8: the statement that lost is gone"

within(
    {
        "companion.pages.statement_edits": """
        def retire_statement(text, id, until, link, reason):
            return remove_statement(text, id)
    """,
    }
)
