"""SCH-1 broken: one lock for everything, so that a capture waits until the night is over."""

from honest import within

BREAKS = "SCH-1"
EXPECTS = "SCH-1: ingest waits for the night"

within(
    {
        "companion.operations.triage.capture": """
        def ingest(ws, items, **how):
            import time
            from companion.storage.files.lock import is_held

            while is_held(os.path.join(ws.place.state, "night.lock")):
                time.sleep(0.05)
            return honest.ingest(ws, items, **how)
    """,
    }
)
