"""LED-10 broken: the numbers of all lists of a source are one numbering."""

from honest import within

BREAKS = "LED-10"
EXPECTS = "LED-10: a list that begins anew"

within(
    {
        "companion.ledger.declared_order": """
        def _is_one_numbering(group):
            return True
    """,
    }
)
