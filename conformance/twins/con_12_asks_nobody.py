"""CON-12 broken: what is doubtful goes in without a question."""

from honest import within

BREAKS = "CON-12"
EXPECTS = "CON-12: mid is not flagged"

within(
    {
        "companion.operations.consolidate.plan": """
        def consolidation_events(done, telling, blob_of):
            found = honest.consolidation_events(done, telling, blob_of)
            mid = {sheet.entry for sheet in done.pages if sheet.cohesion.bucket == "mid"}
            return [line for line in found if line["e"] != "flagged" or line["entry"] not in mid]
    """,
    }
)
