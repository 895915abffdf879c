"""PRE-2 broken: a run without gravity leaves no mark of it in the history."""

from honest import within

BREAKS = "PRE-2"
EXPECTS = "PRE-2: the switch is not recorded"

within(
    {
        "companion.runs.run": """
        def Message(subject, body="", author=None, trailers=()):
            kept = [each for each in trailers if "Without" not in each]
            return honest.Message(subject, body, author, kept)
    """,
    }
)
