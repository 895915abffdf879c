"""LED-17 broken: every note is a voice of its own, whoever wrote it."""

from honest import within

BREAKS = "LED-17"
EXPECTS = "LED-17: a source that says it twice is two voices"

within(
    {
        "companion.ledger.confidence": """
        def _sum_evidence(standings):
            told = {}
            for each in standings:
                a = each.assertion
                if each.status != "retracted" and not a.negated:
                    told[a.value] = told.get(a.value, 0.0) - math.log(1 - a.confidence)
            return told
    """,
    }
)
