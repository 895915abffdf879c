"""AUD-2 broken: a note without which answers were worse moves away all the same."""

from honest import within

BREAKS = "AUD-2"
EXPECTS = "AUD-2: a note that answers depend on was not restored"

within(
    {
        "companion.operations.audit.consequence": """
        def decide_statement_consequence(result):
            worse = "improved" if result == "degraded" else result
            return honest.decide_statement_consequence(worse)
    """,
    }
)
