"""AUD-8 broken: a note stays under "Earlier" when the audit against it is taken back."""

from honest import within

BREAKS = "AUD-8"
EXPECTS = "AUD-8: the note stays away"

within(
    {
        "companion.operations.audit.settle_statements": """
        def _restore(run, taken):
            return Changes()
    """,
    }
)
