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
        # nor does a doubt cost more on what others depend on (CON-14): it would open a branch
        "companion.comparison.alignment": """
        def weigh_cost(cost, gravity):
            return cost
    """,
        "companion.ledger.settlement": """
        def may_replace(a):
            return True
    """,
    }
)
