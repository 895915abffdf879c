"""OBJ-4 broken: the record has a result of its own."""

from honest import within

BREAKS = "OBJ-4"
EXPECTS = "OBJ-4: a result that the paper does not know"

within(
    {
        "companion.storage.index.tables.audits": """
        def _closed(run, e):
            yield from honest._closed(run, {**e, "result": "harmless"})

        EVENTS = {**honest.EVENTS, "audited": _closed}
    """,
    }
)
