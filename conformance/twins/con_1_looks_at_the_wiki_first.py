"""CON-1 broken: the wiki is asked first, and the other notes only then."""

from honest import within

BREAKS = "CON-1"
EXPECTS = "CON-1: a page was looked at before the other notes"

within(
    {
        "companion.operations.consolidate.judge_captures": """
        _within, _against = _Bench.within, _Bench.against
        _Bench.within = lambda self, *given: setattr(self, "late", given)
        _Bench.against = lambda self, *given: (_against(self, *given), _within(self, *self.late))
    """,
    }
)
