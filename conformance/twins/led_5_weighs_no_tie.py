"""LED-5 broken: of equal evidence the first in the alphabet wins."""

from honest import within

BREAKS = "LED-5"
EXPECTS = "LED-5: capacity of Bow"

within(
    {
        "companion.ledger.operators": """
        weighed = _evidence

        def _evidence(key, sides, policy):
            choice = weighed(key, sides, policy)
            return choice._replace(value=choice.value or sides[0].value)

        _OPERATORS = {**_OPERATORS, "evidence": _evidence}
    """,
    }
)
