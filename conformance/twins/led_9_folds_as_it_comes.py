"""LED-9 broken: two at a time, in the order of arrival, and of equals the later arrival stands."""

from honest import within

BREAKS = "LED-9"
EXPECTS = "LED-9: the order of arrival decided"

within(
    {
        "companion.ledger.settlement": """
        def _select_latest(assertions):
            winner, *others = sorted(assertions, key=lambda a: a.told_at)
            for a in others:
                winner = a if a.valid_from >= winner.valid_from else winner
            return [winner]
    """,
    }
)
