"""LED-2 broken: what is known now was always known."""

from honest import within

BREAKS = "LED-2"
EXPECTS = "LED-2: an answer about the past has changed"

within(
    {
        "companion.answers.claims": """
        def _select_claims(group, predicate, known):
            return honest._select_claims(group, predicate, None)
    """,
        "companion.ledger.claims_of_key": """
        def group_by_key(found, *, whole=False, known_at=None):
            return honest.group_by_key(found, whole=whole)
    """,
        "companion.ledger.supersession": """
        def resolve(told, *, known_at, **how):
            return honest.resolve(told, known_at="9999", **how)
    """,
    }
)
