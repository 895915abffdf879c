"""AUD-6 broken: what nobody asks for is called unneeded."""

from honest import within

BREAKS = "AUD-6"
EXPECTS = "AUD-6: an entry that nobody asked for was judged"

within(
    {
        "companion.operations.audit.verdict": """
        def _missing_evidence(evidence, votes):
            return None
    """,
    }
)
