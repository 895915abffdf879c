"""LED-10 broken: between independent voices, too, who came later is right."""

from honest import within

BREAKS = "LED-10"
EXPECTS = "LED-10: the time of arrival broke a tie"

within(
    {
        "companion.ledger.settlement": """
        def _keep_newest_of_each_voice(rivals):
            return [max(rivals, key=lambda a: (a.told_at, a.serial or 0))]
    """,
    }
)
