"""CON-12 broken: the bucket is kept, and nothing of how surely."""

from honest import within

BREAKS = "CON-12"
EXPECTS = "CON-12: no degrees on record"

within(
    {
        "companion.operations.consolidate.events": """
        def make_plan_lines(plan, encode_sighting, blob_of):
            found = honest.make_plan_lines(plan, encode_sighting, blob_of)
            return [{name: value for name, value in line.items() if name != "degrees"} for line in found]
    """,
    }
)
