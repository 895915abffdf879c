"""GRA-7 broken: an edge to a page weighs as much as the page has notes."""

from honest import within

BREAKS = "GRA-7"
EXPECTS = "GRA-7: two links to notes of one page count twice"

within(
    {
        "companion.storage.index.folding.fold_pages": """
        _INSERT_EDGES = honest._INSERT_EDGES.replace(
            "count(*)",
            "(SELECT max(1, count(*)) FROM consumed c WHERE c.entry = t.id)",
        )
    """,
    }
)
