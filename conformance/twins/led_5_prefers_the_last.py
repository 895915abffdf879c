"""LED-5 broken: the least trusted source of a policy goes first."""

from honest import within

BREAKS = "LED-5"
EXPECTS = "LED-5: weight of Ark"

within(
    {
        "companion.ledger.operators": """
        chosen = _policy

        def _policy(key, sides, policy):
            return chosen(key, sides, policy._replace(prefer=policy.prefer[::-1]))

        _OPERATORS = {**_OPERATORS, "policy": _policy}
    """,
    }
)
