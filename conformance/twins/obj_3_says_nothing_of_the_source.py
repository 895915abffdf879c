"""OBJ-3 broken: a cold object has no commitment to its way back."""

from honest import within

BREAKS = "OBJ-3"
EXPECTS = "OBJ-3: a field is missing"

within(
    {
        "companion.storage.cold.cold_memory": """
    def _header(item):
        header = honest._header(item)
        del header["linkout"]
        return header
"""
    }
)
