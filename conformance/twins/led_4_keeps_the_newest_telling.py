"""LED-4 broken: of those that say the same, only the newest is kept."""

from honest import within

BREAKS = "LED-4"
EXPECTS = "LED-4: provenance was lost"

within(
    {
        "companion.ledger.supersession": """
        def resolve(told, **how):
            newest = {a.value: a for a in sorted(told, key=lambda a: a.told_at)}
            return honest.resolve(newest.values(), **how)
    """,
    }
)
