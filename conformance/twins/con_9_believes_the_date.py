"""CON-9 broken: tellings of one evening count as of the days that they name."""

from honest import within

BREAKS = "CON-9"
EXPECTS = "CON-9: one evening counts as three days"

within(
    {
        "companion.minority.pressure": """
        def _seen_day(voice):
            return voice.first.event_time[:10]
    """,
    }
)
