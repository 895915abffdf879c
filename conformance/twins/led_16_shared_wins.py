"""LED-16 broken: what is shared wins every tie."""

from honest import within

BREAKS = "LED-16"
EXPECTS = "LED-16: private does not win"

within(
    {
        "companion.ledger.settlement": """
        def break_private_tie(values, told):
            shared = {a.value for a in told if a.scope == "shared" and a.value in values}
            return (sorted(shared), "shared") if shared else (list(values), "")
    """,
    }
)
