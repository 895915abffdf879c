"""OBJ-4 broken: the record has a result of its own."""

from honest import within

BREAKS = "OBJ-4"
EXPECTS = "OBJ-4: a result that the paper does not know"

within(
    {
        "companion.storage.index.tables.audits": """
        def encode_audited(event):
            line = {**event.line, "result": "harmless"}
            yield from honest.encode_audited(event._replace(line=line))
    """,
    }
)
