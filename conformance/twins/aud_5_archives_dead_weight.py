"""AUD-5 broken: a note that no answer needs is archived like one that leads astray."""

from honest import within

BREAKS = "AUD-5"
EXPECTS = "AUD-5: dead weight on a page falls"

within(
    {
        "companion.operations.audit.consequence": """
        def decide_statement_consequence(result):
            if result == "unchanged":
                return honest.decide_statement_consequence("improved")
            return honest.decide_statement_consequence(result)
    """,
    }
)
