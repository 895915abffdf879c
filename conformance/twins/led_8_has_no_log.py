"""LED-8 broken: what judges said is written down and never read again."""

from honest import within

BREAKS = "LED-8"
EXPECTS = "LED-8: the same contradiction was judged anew"

within(
    {
        "companion.storage.journal.verdicts": """
        def _select(db, keys):
            return {}
    """,
    }
)
