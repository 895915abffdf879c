"""AUD-6 broken: what others state as well counts as a question that does not need the page."""

from honest import within

BREAKS = "AUD-6"
EXPECTS = "AUD-6: what others state as well counts"

within(
    {
        "companion.operations.audit.verdict": """
        _honest = _votes

        def _votes(entry, evidence):
            return _honest(entry, evidence._replace(lost=True))
    """,
    }
)
