"""INV-4 broken: nights count, whether anybody told anything or not."""

from honest import within

BREAKS = "INV-4"
EXPECTS = (
    "INV-4: a branch was closed after nights in which nobody told anything"
)

within(
    {
        "companion.operations.audit.settle": """
        def may_close(incumbent, audited, grown, quiet_cycles):
            from companion.values.time import days_between
            nights = int(days_between(grown, audited))
            return honest.may_close(incumbent, audited, grown, nights)
    """,
    }
)
