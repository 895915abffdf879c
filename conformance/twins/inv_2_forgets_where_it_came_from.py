"""INV-2 broken: a cold object does not say where its source came from."""

from honest import within

BREAKS = "INV-2"
EXPECTS = "INV-2: an object does not say where it came from"

within(
    {
        "companion.storage.cold.cold_memory": """
    def make_cold(item, entry, at, *, previous=None):
        cold = honest.make_cold(item, entry, at, previous=previous)
        return cold._replace(path="somewhere", url=None)
"""
    }
)
