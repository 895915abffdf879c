"""AUD-8 broken: an audit that was taken back is one of several with poor outcomes."""

from honest import within

BREAKS = "AUD-8"
EXPECTS = "AUD-8: an audit that was taken back counts"

within(
    {
        "companion.operations.audit.consequence": """
        def count_poor_cycles(poor, past):
            return honest.count_poor_cycles(poor, [each._replace(undone=False) for each in past])
    """,
    }
)
