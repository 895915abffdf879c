"""AUD-5 broken: a note that no answer needs is confirmed like one that answers depend on."""

from honest import within

BREAKS = "AUD-5"
EXPECTS = "AUD-5: a note that no answer needs is confirmed"

within(
    {
        "companion.operations.audit.consequence": """
        def decide_statement_consequence(result):
            if result == "unchanged":
                return honest.decide_statement_consequence("degraded")
            return honest.decide_statement_consequence(result)
    """,
    }
)
