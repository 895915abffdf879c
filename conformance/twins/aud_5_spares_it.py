"""AUD-5 broken: dead weight is recorded as such, and keeps its gravity."""

from honest import within

BREAKS = "AUD-5"
EXPECTS = "AUD-5: dead weight kept its gravity"

within(
    {
        "companion.operations.audit.consequence": """
        def decide_consequence(result, *, factor, poor_cycles, protected):
            found = honest.decide_consequence(result, factor=factor, poor_cycles=poor_cycles, protected=protected)
            return found._replace(factor=factor) if result == "unchanged" else found
    """,
    }
)
