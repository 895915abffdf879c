"""AUD-6 broken: what the model says at first is what it says, whichever answer came first."""

from honest import within

BREAKS = "AUD-6"
EXPECTS = "AUD-6: the place of an answer decided"

within(
    {
        "companion.operations.audit.questions.judged_answers": """
        def combine_orders(one, other):
            return one
    """,
    }
)
