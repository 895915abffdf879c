"""LED-7 broken: an audit goes by what a model said, and its ledger file does not tell."""

from honest import within

BREAKS = "LED-7"
EXPECTS = "LED-7: what was judged is not on record"

within(
    {
        "companion.operations.audit.questions.ask_judge": """
        Jury.lines = lambda self: []
    """,
    }
)
