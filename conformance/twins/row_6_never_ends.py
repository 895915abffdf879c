"""ROW-6 broken: two bad audits are held against a page for ever."""

from honest import within

BREAKS = "ROW-6 GRA-8"
EXPECTS = "ROW-6: it goes on taking gravity"

within(
    {
        "companion.operations.audit.consequence": """
        def count_poor_cycles(poor, past):
            counts = [poor, *(each.poor for each in past)]
            return sum(map(has_poor_outcomes, counts))
    """,
    }
)
