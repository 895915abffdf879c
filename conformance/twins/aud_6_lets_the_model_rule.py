"""AUD-6 broken: what a model finds in the way is as good as what a user called wrong."""

from honest import within

BREAKS = "AUD-6"
EXPECTS = "AUD-6: a model alone moved an entry"

within(
    {
        "companion.operations.audit.verdict": """
        def _vote(entry, group, found, judged):
            vote = honest._vote(entry, group, found, judged)
            if vote.said > 0:
                return vote._replace(delta=1.0, poor=True, spoken=True)
            return vote
    """,
    }
)
