"""INV-5 broken: an undo rewrites what was found."""

from honest import within

BREAKS = "INV-5"
EXPECTS = "INV-5: a record was changed"

within(
    {
        "companion.storage.index.tables.audits": """
        def encode_undone(event):
            yield from honest.encode_undone(event)
            yield "UPDATE audit_log SET result = 'unchanged' WHERE ? <> ''", (event.run,)
    """,
    }
)
