"""GRA-8 broken: a page loses half of its gravity for each note that led astray."""

from honest import within

BREAKS = "GRA-8"
EXPECTS = "GRA-8: the page lost gravity for one of its notes"

within(
    {
        "companion.storage.index.tables.routing": """
        def list_factors(db):
            found = "SELECT entry FROM audits WHERE statement IS NOT NULL AND result = 'improved'"
            return honest.list_factors(db) | {entry: 0.5 for (entry,) in db.execute(found)}
    """,
    }
)
