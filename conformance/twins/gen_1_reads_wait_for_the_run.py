"""GEN-1 broken: one lock for everything, so that a read waits until the run is over."""

from honest import within

BREAKS = "GEN-1"
EXPECTS = "GEN-1: search waits for the run"

within(
    {
        "companion.lookup.index": """
        def current_index(ws, journal):
            import time
            from companion.storage.files.lock import is_held

            while is_held(os.path.join(ws.place.state, "sleep.lock")):
                time.sleep(0.05)
            return honest.current_index(ws, journal)
    """,
    }
)
