"""AUD-5 broken: a question that does better without the page needs it."""

from honest import within

BREAKS = "AUD-5"
EXPECTS = "AUD-6: the numbers are not those of the questions"

within(
    {
        "companion.operations.audit.verdict": """
        def _is_needed(vote):
            return abs(vote.delta) >= LEAST_CHANGE
    """,
    }
)
