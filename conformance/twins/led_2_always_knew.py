"""LED-2 broken: what is known now was always known."""

from honest import within

BREAKS = "LED-2"
EXPECTS = "LED-2: an answer about the past has changed"

within(
    app_facts="""
        def _wanted(group, predicate, known):
            return honest._wanted(group, predicate, None)
    """,
    app_keys="""
        def by_key(found, *, whole=False, known_at=None):
            return honest.by_key(found, whole=whole)
    """,
    core_ledger="""
        def resolve(told, *, known_at, **how):
            return honest.resolve(told, known_at="9999", **how)
    """,
)
