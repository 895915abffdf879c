"""SCH-2 broken: the timer runs the operations themselves, every night at half past three."""

from honest import within

BREAKS = "SCH-2"
EXPECTS = "sleep --unattended|consolidate|3"

within(
    {
        "companion.sleep.schedule.cron": """
        def make_lines(job):
            lines = honest.make_lines(job)
            lines = lines.replace("sleep --unattended", "consolidate")
            return lines.replace("*/20 * * * *", "30 3 * * *")
    """,
    }
)
