"""AUD-6 broken: the model is asked of every answer, whatever its reader said of it."""

from honest import within

BREAKS = "AUD-6"
EXPECTS = "AUD-6: the model was asked where the user had spoken"

within(
    {
        "companion.operations.audit.questions.judged_answers": """
        def choose_questions(entry, probes, before, after, most=MOST):
            silent = [probe._replace(spoken=False) for probe in probes]
            return honest.choose_questions(entry, silent, before, after, most)
    """,
    }
)
