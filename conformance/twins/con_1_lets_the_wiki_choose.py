"""CON-1 broken: notes of which the wiki has a page already are not held against each other."""

from honest import within

BREAKS = "CON-1"
EXPECTS = (
    "CON-1: a page was looked at before the other notes, or instead of them"
)

within(
    {
        "companion.operations.consolidate.judging.judge_captures": """
        def ask_ahead(*given):
            pass

        from companion.comparison.pages import list_linked_entries

        _is_new = lambda run, told: not any(list_linked_entries(run, edge) for edge in told.capture.edges)

        def compare_captures(night, captures, *rest):
            new = [told for told in captures if _is_new(night.run, told)]
            honest.compare_captures(night, new, *rest)
    """,
    }
)
