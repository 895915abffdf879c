"""CON-1 broken: notes of which the wiki has a page already are not held against each other."""

from honest import within

BREAKS = "CON-1"
EXPECTS = (
    "CON-1: a page was looked at before the other notes, or instead of them"
)

within(
    {
        "companion.operations.consolidate.judge_captures": """
        _within = _Bench.within
        _is_new = lambda tonight, told: not any(list_linked_entries(tonight, edge) for edge in told.capture.edges)
        _Bench.within = lambda self, pending, *rest: _within(
            self, [told for told in pending if _is_new(self.tonight, told)], *rest
        )
    """,
    }
)
