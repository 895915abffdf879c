"""TRI-8 broken: a repeat is heard of the page, whichever of its notes has the words."""

from honest import within

BREAKS = "TRI-8"
EXPECTS = "TRI-8: it is heard of another note"

within(
    {
        "companion.operations.consolidate.collect": """
        def _sighted_again(run):
            query = "SELECT entry, min(capture) FROM consumed GROUP BY entry"
            first = dict(run.db.execute(query).fetchall())
            found = honest._sighted_again(run)
            return [(first[entry], entry, new) for _, entry, new in found]
    """,
    }
)
