"""CON-17 broken: a block moves though its owner edited it."""

from honest import within

BREAKS = "CON-17"
EXPECTS = "CON-17: a line of the owner was moved"

within(
    {
        "companion.minority.promote": """
        def is_edited(db, repo, page, one):
            return False
    """,
    }
)
