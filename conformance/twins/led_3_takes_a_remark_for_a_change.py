"""LED-3 broken: what much rests on gives way to the first remark that says otherwise."""

from honest import within

BREAKS = "LED-3"
EXPECTS = "LED-3: a remark overturned"

within(
    {
        "companion.minority.contested.contests": """
        def find_contested(*asked):
            return None
    """,
        "companion.ledger.settlement": """
        def may_replace(a):
            return True
    """,
    }
)
