"""CON-12 broken: the bucket is kept, and nothing of how surely."""

from honest import within

BREAKS = "CON-12"
EXPECTS = "CON-12: no degrees on record"

within(
    {
        "companion.operations.consolidate.plan": """
        def consolidation_events(done, telling, blob_of):
            found = honest.consolidation_events(done, telling, blob_of)
            return [{name: value for name, value in line.items() if name != "degrees"} for line in found]
    """,
    }
)
