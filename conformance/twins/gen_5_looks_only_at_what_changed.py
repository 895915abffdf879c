"""GEN-5 broken: the word for another look changes nothing."""

from honest import within

BREAKS = "GEN-5"
EXPECTS = "GEN-5: the buffer cannot be judged again"

within(
    {
        "companion.operations.consolidate.quarantine": """
        Quarantine.choose_due = lambda self, *given, kept=Quarantine.choose_due: (
            setattr(self, "again", False) or kept(self, *given)
        )
    """,
    }
)
