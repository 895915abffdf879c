"""TRI-8 broken: no source is known for what it told before, so that equal words are one voice."""

from honest import within

BREAKS = "TRI-8"
EXPECTS = (
    "TRI-8: a source known for its own tellings is no voice in the same words"
)

within(
    {
        "companion.storage.index.tables.captures": """
        def list_known_sources(db, sources):
            return set()
    """,
    }
)
