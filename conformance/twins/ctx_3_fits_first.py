"""CTX-3 broken: a source is fitted although cold memory did not take it."""

from honest import within

BREAKS = "CTX-3"
EXPECTS = "CTX-3: something was made of a source"

within(
    {
        "companion.storage.cold.cold_memory": """
    def put(repo, items):
        try:
            honest.put(repo, items)
        except Exception:
            return
"""
    }
)
