"""LED-3 broken: what arrives last stands, whatever was told of when it is so."""

from honest import within

BREAKS = "LED-3 LED-11"
EXPECTS = "(LED-3: what came last won|LED-11: not exactly one claim)"

within(
    {
        "companion.ledger.settlement": """
        def _select_latest(assertions):
            return [max(assertions, key=lambda a: (a.told_at, a.serial or 0, a.id))]
    """,
    }
)
