"""OBJ-6 broken: nothing in a page names it."""

from honest import within

BREAKS = "OBJ-6"
EXPECTS = "OBJ-6: the owner's word is not kept"

within(
    {
        "companion.storage.index.tables.decay": """
        def list_self_descriptions(db):
            return []
    """,
    }
)
