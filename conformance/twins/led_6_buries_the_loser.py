"""LED-6 broken: the audit row names the winner only."""

from honest import within

BREAKS = "LED-6"
EXPECTS = "LED-6: the audit row does not cover"

within(
    {
        "companion.ledger.resolve_run": """
        def _row(book, group, fallen, after):
            return honest._row(book, group, fallen, after)._replace(lost=())
    """,
    }
)
