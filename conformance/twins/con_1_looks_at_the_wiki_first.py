"""CON-1 broken: the wiki is asked first, and the other notes only then."""

from honest import within

BREAKS = "CON-1"
EXPECTS = "CON-1: a page was looked at before the other notes"

within(
    {
        "companion.operations.consolidate.judging.judge_captures": """
        def ask_ahead(*given):
            pass

        _late = []

        def compare_captures(*given):
            _late.append(given)

        def compare_with_pages(*given):
            honest.compare_with_pages(*given)
            honest.compare_captures(*_late.pop())
    """,
    }
)
