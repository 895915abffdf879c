"""LED-3 broken: of two values of one time the first in the alphabet stands, and the other has
lost.
"""

from honest import within

BREAKS = "LED-3"
EXPECTS = "LED-3: an exact tie is not shown"

within(
    {
        "companion.ledger.operators": """
        def _latest(key, sides, policy):
            return Choice(sides[0].value, "one of them must be")

        _OPERATORS = {**_OPERATORS, "latest": _latest}
    """,
    }
)
