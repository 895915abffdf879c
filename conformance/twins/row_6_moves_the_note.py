"""ROW-6 broken: the note that misled goes from its page, whether answers need it or not."""

from honest import within

BREAKS = "ROW-6"
EXPECTS = "ROW-6: the note that answers need went"

within(
    {
        "companion.operations.audit.consequence": """
        def decide_statement_consequence(result):
            return honest.decide_statement_consequence("improved")
    """,
    }
)
