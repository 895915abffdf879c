"""ROW-7 broken: the night after an update does not know of its objections."""

from honest import within

BREAKS = "ROW-7"
EXPECTS = "ROW-7: the next cycle does not know of it"

within(
    app_review="""
        def contradicted(tonight):
            return []
    """,
)
