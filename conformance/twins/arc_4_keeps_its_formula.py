"""ARC-4 broken: what a page weighs is given without what it was measured by."""

from honest import within

BREAKS = "ARC-4"
EXPECTS = "ARC-4: show does not state what it chose: centrality"

within(
    {
        "companion.gravity.measure": """
        def describe_gravity(db, entry, now):
            told = honest.describe_gravity(db, entry, now)
            return told and {**told, "reason": "it weighs much"}
    """,
    }
)
