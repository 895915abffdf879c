"""CON-9 broken: the fourth voice of a day counts as the third does."""

from honest import within

BREAKS = "CON-9"
EXPECTS = "CON-9: Harrow is not what its tellings press"

within(
    {
        "companion.minority.pressure": """
        def _sum_shares(voices, shares):
            return honest._sum_shares(voices, (*shares, *shares[-1:]))
    """,
    }
)
