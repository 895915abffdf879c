"""LED-2 broken: a thing became so when it was told, whatever was said of it."""

from honest import within

BREAKS = "LED-2"
EXPECTS = "LED-2: what was true then"

within(
    {
        "companion.ledger.supersession": """
        def resolve(told, **how):
            return honest.resolve([a._replace(valid_from=a.told_at) for a in told], **{**how, "at": how["known_at"]})
    """,
    }
)
