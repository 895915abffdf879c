"""CON-8 broken: an entry that is gone does not say what took its place."""

from honest import within

BREAKS = "CON-8"
EXPECTS = "CON-8: a link to the old entry leads nowhere"

within(
    {
        "companion.operations.decay.show": """
        def list_gone_named(db, key, title):
            gone = honest.list_gone_named(db, key, title)
            return [row._replace(superseded_by=None) for row in gone]
    """,
    }
)
