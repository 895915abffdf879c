"""ROW-3 broken: who repeats what is flagged may speak against the page that states it."""

from honest import within

BREAKS = "ROW-3"
EXPECTS = "ROW-3: a note that supports a flagged page opened a branch"

within(
    {
        "companion.routing.watch_signals": """
        if not callable(SignalWatch.is_reinforced):
            raise LookupError("is_reinforced")
        SignalWatch.is_reinforced = lambda self, entry, capture, text: False
    """,
    }
)
