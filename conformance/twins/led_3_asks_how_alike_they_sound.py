"""LED-3 broken: a value gives way only to one that sounds like it."""

from honest import within

BREAKS = "LED-3"
EXPECTS = "LED-3: a value outlived its successor"

within(
    {
        "companion.ledger.settlement": """
        from difflib import SequenceMatcher

        def _select_latest(assertions):
            newest = max(assertions, key=lambda a: a.valid_from)
            return [a for a in assertions if a is newest or SequenceMatcher(None, a.value, newest.value).ratio() < 0.5]
    """,
    }
)
