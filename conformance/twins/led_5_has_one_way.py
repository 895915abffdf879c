"""LED-5 broken: whatever the settings say, the last word wins."""

from honest import within

BREAKS = "LED-5"
EXPECTS = "LED-5: a predicate is not settled"

within(
    {
        "companion.ledger.resolve": """
        RuleBook.way = lambda self, group: Way()
    """,
    }
)
