"""CTX-8 broken: nobody can tell that an original was recalled."""

from honest import within

BREAKS = "CTX-8"
EXPECTS = "CTX-8: a recall left no record"

within(
    {
        "companion.usage.record_read": """
    def record_read(ws, verb, words, shown):
        if verb.startswith("recall"):
            return None
        return honest.record_read(ws, verb, words, shown)
"""
    }
)
