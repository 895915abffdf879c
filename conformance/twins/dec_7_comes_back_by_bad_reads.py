"""DEC-7 broken: what misleads decays, and is restored because it was read."""

from honest import within

BREAKS = "DEC-7"
EXPECTS = "DEC-7: what misled on every read is kept"

within(
    {
        "companion.operations.decay.plan": """
        def _decide(each, floor, policy, instant):
            if each.set_by == "decay" and each.terms.total >= policy.decaying:
                return "restored", "Restored: it is read."
            return honest._decide(each, floor, policy, instant)
    """,
    }
)
