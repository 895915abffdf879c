"""CTX-2 broken: what a source says is summarised into a note as soon as it comes in."""

from honest import within

BREAKS = "CTX-2"
EXPECTS = "CTX-2: something was derived at the door"

within(
    {
        "companion.operations.triage.keep": """
        def keep_parcels(ws, parcels, done, **how):
            from companion.operations.triage.capture import ingest
            from companion.values.captures import Draft

            ingest(ws, [Draft("A page about the ferries of Zanzibar came in.")])
            return honest.keep_parcels(ws, parcels, done, **how)
    """,
    }
)
