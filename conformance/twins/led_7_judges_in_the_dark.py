"""LED-7 broken: an audit goes by what a model said, and its ledger file does not tell."""

from honest import within

BREAKS = "LED-7"
EXPECTS = "LED-7: what was judged is not on record"

within(
    app_judging="""
        Jury.lines = lambda self: []
    """,
)
