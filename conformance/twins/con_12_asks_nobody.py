"""CON-12 broken: what is doubtful goes in without a question."""

from honest import within

BREAKS = "CON-12"
EXPECTS = "CON-12: mid is not flagged"

within(
    {
        "companion.operations.consolidate.events": """
        def make_plan_lines(plan, encode_sighting, blob_of):
            found = honest.make_plan_lines(plan, encode_sighting, blob_of)
            mid = {page.entry for page in plan.pages if page.cohesion.bucket == "mid"}
            return [line for line in found if line["e"] != "flagged" or line["entry"] not in mid]
    """,
    }
)
