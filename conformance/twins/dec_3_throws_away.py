"""DEC-3 broken: a page is shortened, and what went is gone."""

from honest import within

BREAKS = "DEC-3"
EXPECTS = "DEC-3: the full text is in no cold memory"

within(
    {"companion.storage.cold.cold_memory": "def put(repo, items): return None"}
)
