"""INV-4 broken: a branch grew only if a member joined it, whatever voices it gained."""

from honest import within

BREAKS = "INV-4"
EXPECTS = "INV-4: a branch was closed that gained a voice within the six cycles"

within(
    {
        "companion.storage.index.tables.minority": """
        def _list_rises(db, branch):
            return iter(())
    """,
    }
)
