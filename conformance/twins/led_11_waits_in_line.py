"""LED-11 broken: while one writer has the door, every other waits until it has gone."""

from honest import within

BREAKS = "LED-11"
EXPECTS = "LED-11: a writer waits for another subject's"

within(
    {
        "companion.operations.triage.capture": """
        def ingest(ws, items, **how):
            import time

            time.sleep(60)
            return honest.ingest(ws, items, **how)
    """,
    }
)
