"""CON-13 broken: a lone contradiction is kept in quarantine, and no branch is opened for it."""

from honest import within

BREAKS = "CON-13"
EXPECTS = "CON-13: a lone contradiction opens no branch"

within(
    {
        "companion.minority.plan": """
        def _list_candidates(groups, cycle):
            found = honest._list_candidates(groups, cycle)
            return [one for one in found if one.is_cluster]
    """,
    }
)
