"""AUD-6 broken: what a model judged is told, and counts for nothing."""

from honest import within

BREAKS = "AUD-6"
EXPECTS = "AUD-6: silence alone confirmed what the model finds in the way"

within(
    {
        "companion.operations.audit.questions.judged_answers": """
        def judged_change(judged):
            return 0.0
    """,
    }
)
