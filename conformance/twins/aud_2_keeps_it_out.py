"""AUD-2 broken: what answers depend on is not put back."""

from honest import within

BREAKS = "AUD-2"
EXPECTS = "AUD-2: an entry that answers depend on was not restored"

within(
    {
        "companion.operations.audit.settle": """
        def _step(record, state, factor):
            if record.outcome != "restored":
                return honest._step(record, state, factor)
            lines = [_settled(record, "suspended"), {"e": "decaying", "entry": record.entry, "reason": "suspended"}]
            return Step(record.entry, "decaying", lines, "suspended")
    """,
    }
)
