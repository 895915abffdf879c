"""TRI-6 broken: a refusal shows every secret, however many."""

from honest import within

BREAKS = "TRI-6"
EXPECTS = "TRI-6: a refusal names not the first five secrets"

within(
    {
        "companion.operations.triage.filter": """
        _LISTED = 99
    """,
    }
)
