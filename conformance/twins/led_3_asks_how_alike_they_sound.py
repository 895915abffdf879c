"""LED-3 broken: a value gives way only to one that sounds like it."""

from honest import within

BREAKS = "LED-3"
EXPECTS = "LED-3: a value outlived its successor"

within(
    {
        "companion.ledger.supersession": """
        from difflib import SequenceMatcher

        def _last(holding):
            newest = max(holding, key=lambda a: a.valid_from)
            return [a for a in holding if a is newest or SequenceMatcher(None, a.value, newest.value).ratio() < 0.5]
    """,
    }
)
