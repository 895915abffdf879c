"""LED-10 broken: the current value is the one of the last telling's time, whenever it is read."""

from honest import within

BREAKS = "LED-10"
EXPECTS = "LED-10: the current value is not of the moment"

within(
    {
        "companion.answers.claims": """
        def _moment(now, as_of, found):
            return as_of or max(each.assertion.told_at for each in found)
    """,
    }
)
