"""CTX-2 broken: before it takes a source in, the door asks what the wiki holds about it."""

from honest import within

BREAKS = "CTX-2"
EXPECTS = "CTX-2: ingest needs the wiki"

within(
    {
        "companion.operations.triage.keep": """
        def keep_parcels(ws, parcels, done, **how):
            if Repo(ws.place).tip() is None:
                raise FileNotFoundError("the wiki cannot be read")
            return honest.keep_parcels(ws, parcels, done, **how)
    """,
    }
)
