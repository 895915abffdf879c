"""ROW-1 broken: a word for a page is heard only by nights after the one that begins the page."""

from honest import within

BREAKS = "ROW-1"
EXPECTS = "ROW-1: the night that begins a page does not hear"

within(
    {
        "companion.routing.watch_user_words": """
        if not callable(WordWatch.judge_with_begun):
            raise LookupError("judge_with_begun")
        WordWatch.judge_with_begun = lambda self, planned: None
    """,
    }
)
